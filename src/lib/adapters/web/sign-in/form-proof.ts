import type { ActionFailure, RequestEvent } from '@sveltejs/kit';
import { message, type SuperValidated } from 'sveltekit-superforms';
import type { DomainError } from '#lib/domain/errors.ts';
import type { SendProof } from '#lib/domain/proof/ports.ts';
import { formOutcome } from '../http/form-error.ts';
import { proofScope } from '../edge/proof-scope.ts';

/** The hidden field with the answer to a puzzle. */
export const ANSWER_FIELD = 'proof';

type Event = Pick<RequestEvent, 'locals' | 'setHeaders'>;

/** The proof that a posted form contains. Null if none is valid, and where none is needed. */
export const postedProof = async (
	event: Pick<RequestEvent, 'locals'>,
	fields: FormData,
	email: string
): Promise<SendProof | null> => {
	const { proofs, config } = event.locals.app;
	const answer = fields.get(ANSWER_FIELD);
	if (!config.proofOfWork || typeof answer !== 'string') return null;
	return (await proofs.readAnswer(proofScope(event, email), answer)) ?? null;
};

/** The response of a form that sends a code to a domain error, with a puzzle where one helps. */
export const sendOutcome = async <T extends Record<string, unknown>>(
	event: Event,
	form: SuperValidated<T>,
	error: DomainError,
	email: string
): Promise<ActionFailure<{ form: SuperValidated<T> }>> => {
	if (error.code !== 'puzzle_required') return formOutcome(event, form, error);
	const puzzle = await event.locals.app.proofs.puzzle(proofScope(event, email));
	const demand: App.FormDemand = { puzzle, wait: null };
	return message(form, demand, { status: 403 }) as ActionFailure<{ form: SuperValidated<T> }>;
};
