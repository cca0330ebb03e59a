import { error, fail, redirect, type ActionFailure, type RequestEvent } from '@sveltejs/kit';
import type { DomainError } from '#lib/domain/errors.ts';
import { isFreshlySignedIn, type Session } from '#lib/domain/sessions/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { formClient, networkOf } from '../edge/caller.ts';
import type { CountedAction } from '../edge/limits/client-limits.ts';
import { requireSession } from '../edge/require-user.ts';
import { messages } from '#lib/messages/messages.ts';
import { clientInfo } from '../http/credential.ts';
import { postedFields } from '../http/form-body.ts';
import { logEvent, logOutcome } from '../http/log-event.ts';
import { outcomeOf, retryAfterOf } from '../http/outcome.ts';

/** A sign-in within the last minutes proved the email address. Otherwise a code does. */
export const loadExport = (
	event: RequestEvent
): { readonly email: string; readonly isProven: boolean; readonly isLate: boolean } => {
	const { user, session } = requireSession(event);
	const { clock, policy } = event.locals.app;
	return {
		email: user.email,
		isProven: isFreshlySignedIn(session, clock.now(), policy),
		isLate: event.url.searchParams.has('late')
	};
};

type Refused = ActionFailure<{ refused: string; isSent: boolean }>;

const refuse = (event: RequestEvent, failure: DomainError, isSent: boolean): Refused => {
	const { status, text } = outcomeOf(failure);
	const retryAfter = retryAfterOf(failure);
	if (retryAfter !== null) event.setHeaders({ 'retry-after': String(retryAfter) });
	return fail(status, { refused: text, isSent });
};

/** Sends a code to the email address of the account. */
export const sendCode: CountedAction<'send'> = async (event) => {
	const { email } = requireSession(event).user;
	const requested = await event.locals.app.requestCode({
		...formClient(event),
		...{ email, purpose: 'email_verification', client: clientInfo(event) }
	});
	logOutcome(event, 'code_requested', email, requested);
	return requested.ok ? { isSent: true } : refuse(event, requested.error, false);
};

/** Checks that code. The right one gives a permit, which the form of the file posts. */
export const enterCode: CountedAction<'check'> = async (event) => {
	const { user, session } = requireSession(event);
	const code = String((await postedFields(event)).get('code') ?? '');
	const client = { ...formClient(event), network: networkOf(event) };
	const verified = await event.locals.app.verifyEmail({ ...client, email: user.email, code });
	logOutcome(event, 'code_entered', user.email, verified);
	if (!verified.ok) return refuse(event, verified.error, true);
	const { clock, policy } = event.locals.app;
	const until = secondsAfter(clock.now(), policy.emailChange.freshFor).getTime();
	return { permit: `${until}.${event.locals.app.formSigner.sign(permitText(session, until))}` };
};

const permitText = ({ id }: Pick<Session, 'id'>, until: number): string => `export ${id} ${until}`;

/** Answers with the file (`exportAccount`). */
export const downloadExport = async (event: RequestEvent): Promise<Response> => {
	const { user, session } = requireSession(event);
	const { clock, policy, formSigner, exportAccount } = event.locals.app;
	const now = clock.now();
	const permit = String((await postedFields(event)).get('permit') ?? '');
	const [, until = '0', signature = ''] = /^(\d{1,15})\.(.+)$/.exec(permit) ?? [];
	const isPermitted =
		Number(until) > now.getTime() &&
		formSigner.verify(signature, permitText(session, Number(until)));
	if (!isPermitted && !isFreshlySignedIn(session, now, policy)) {
		redirect(303, '/settings/export?late');
	}
	const data = await exportAccount(user.email, 'person');
	if (data === null) error(404, messages.faults.notFound);
	logEvent(event, 'data_exported', { events: data.events.length });
	return new Response(`${JSON.stringify(data, null, '\t')}\n`, {
		headers: {
			'content-type': 'application/json',
			'content-disposition': 'attachment; filename="account.json"',
			'cache-control': 'no-store'
		}
	});
};
