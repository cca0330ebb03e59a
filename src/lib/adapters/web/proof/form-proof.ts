import type { ActionFailure, RequestEvent } from '@sveltejs/kit';
import { message, type SuperValidated } from 'sveltekit-superforms';
import type { DomainError } from '#lib/domain/errors.ts';
import type { SendProof } from '#lib/domain/limits/send-proof.ts';
import type { ProofScope } from '#lib/domain/proof/proof-scope.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import type { EarlyTicket } from '#lib/domain/proof/proofs.ts';
import { messages } from '#lib/messages/messages.ts';
import type { ProofDemand } from '#lib/view/proof.ts';
import { formOutcome } from '../forms/form-error.ts';

/** The hidden fields of a form that was refused for lack of a proof. */
export const ANSWER_FIELD = 'proof';
export const TICKET_FIELD = 'ticket';

type Refused<T extends Record<string, unknown>> = ActionFailure<{ form: SuperValidated<T> }>;
type Event = Pick<RequestEvent, 'locals' | 'setHeaders'>;

export interface PostedProof {
	readonly proof: SendProof | null;
	/** The text of the ticket, if the proof is one. */
	readonly ticket: string | null;
}

/**
 * The proof that a posted form contains. Null if none is valid: the form then gets a new challenge
 * if it needs one. The answer to a puzzle counts before a ticket.
 */
export const postedProof = async (
	{ locals: { app } }: Pick<RequestEvent, 'locals'>,
	fields: FormData,
	scope: ProofScope
): Promise<PostedProof | EarlyTicket> => {
	const [answer, ticket] = [fields.get(ANSWER_FIELD), fields.get(TICKET_FIELD)];
	const proof = typeof answer === 'string' ? await app.proofs.readAnswer(scope, answer) : null;
	if (proof) return { proof, ticket: null };
	if (typeof ticket !== 'string') return { proof: null, ticket: null };
	const waited = app.proofs.readTicket(scope, ticket);
	if (waited === null) return { proof: null, ticket: null };
	return 'seconds' in waited ? waited : { proof: waited, ticket };
};

/** What a form demands that needs no proof. */
const NO_PROOF = { puzzle: null, ticket: null, ticketAfter: 0, wait: null } as const;

/** The response to a ticket that is too early. The form keeps it. */
export const refuseEarly = <T extends Record<string, unknown>>(
	event: Event,
	form: SuperValidated<T>,
	fields: FormData,
	{ purpose }: ProofScope,
	{ seconds }: EarlyTicket
): Refused<T> => {
	event.setHeaders({ 'retry-after': String(seconds) });
	const ticket = { text: String(fields.get(TICKET_FIELD)), seconds, early: true };
	return demand(form, { ...NO_PROOF, purpose, ticket });
};

/**
 * The response of a form to a domain error, with a puzzle or a ticket where these help. `shown` is
 * the error whose text the form shows.
 */
export const proofOutcome = async <T extends Record<string, unknown>>(
	event: Event,
	form: SuperValidated<T>,
	error: DomainError,
	scope: ProofScope,
	posted: PostedProof,
	shown = error
): Promise<Refused<T>> => {
	const { proofs, policy } = event.locals.app;
	const { purpose } = scope;
	if (error.code === 'challenge_required') {
		const { level, ticketAfter } = error;
		const puzzle = await proofs.puzzle(scope, level);
		if (ticketAfter > 0) {
			event.setHeaders({ 'retry-after': String(ticketAfter) });
			const ticket = ticketFor(event, posted, ticketAfter);
			const after = ticket === null ? ticketAfter : 0;
			return demand(form, { purpose, puzzle, ticket, ticketAfter: after, wait: null });
		}
		const { ticketWait: seconds } = policy.proof;
		const ticket = { text: proofs.ticket(scope), seconds, early: false };
		return demand(form, { purpose, puzzle, ticket, ticketAfter, wait: null });
	}
	if (error.code === 'too_many_sends') {
		const { retryAfter, level } = error;
		// The page solves the puzzle while it waits, so that it can have the next free send.
		const inTime = retryAfter <= policy.proof.lifetime - SOLVING_SECONDS;
		const puzzle = inTime && level !== null ? await proofs.puzzle(scope, level) : null;
		const isKnown = 'level' in shown && shown.level === null;
		const reason = messages.errors.tooManySendsNow(isKnown);
		const wait = { seconds: retryAfter, reason, endsOnEdit: true };
		form.message = { purpose, puzzle, ticket: null, ticketAfter: 0, wait } satisfies ProofDemand;
	}
	if (error.code === 'over_budget') {
		const isKnown = 'isKnown' in shown && shown.isKnown;
		const reason = messages.errors.overBudgetNow(isKnown);
		const wait = { seconds: error.retryAfter, reason, endsOnEdit: true };
		form.message = { ...NO_PROOF, purpose, wait } satisfies ProofDemand;
	}
	return formOutcome(event, form, shown);
};

/** The posted ticket, if it is still valid when tickets count again. */
const ticketFor = (
	{ locals: { app } }: Event,
	{ proof, ticket }: PostedProof,
	seconds: number
): ProofDemand['ticket'] => {
	if (proof === null || ticket === null) return null;
	const isValid = secondsAfter(app.clock.now(), seconds) < proof.expiresAt;
	return isValid ? { text: ticket, seconds, early: false } : null;
};

/** A puzzle must still be valid after the wait, on a page that was refused a little later. */
const SOLVING_SECONDS = 20;

const demand = <T extends Record<string, unknown>>(
	form: SuperValidated<T>,
	wanted: ProofDemand
): Refused<T> => message(form, wanted, { status: 403 }) as Refused<T>;
