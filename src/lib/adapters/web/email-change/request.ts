import type { RequestEvent } from '@sveltejs/kit';
import type {
	RequestEmailChangeError,
	RequestEmailChangeInput
} from '#lib/domain/email-change/request-email-change.ts';
import type { Confirmer } from '#lib/domain/email-change/complete-email-change.ts';
import type { Result } from '#lib/domain/errors.ts';
import { networkOf, requestSourceOf } from '../edge/client.ts';
import type { CountedEvent } from '../edge/limits/client-limits.ts';
import { logOutcome } from '../http/log-event.ts';
import { requireSession } from '../edge/require-user.ts';

/** Requests an email change for the signed-in user. */
export const requestChange = async (
	event: CountedEvent<'send'>,
	change: Pick<RequestEmailChangeInput, 'newEmail' | 'way' | 'callbackUrl'> & {
		/** The code from the current email address. Required if the session is not fresh. */
		readonly currentCode?: string | undefined;
	}
): Promise<Result<unknown, RequestEmailChangeError>> => {
	const { user, session } = requireSession(event);
	const requested = await event.locals.app.requestEmailChange({
		...change,
		user,
		session,
		source: requestSourceOf(event),
		network: networkOf(event),
		currentCode: change.currentCode ?? null
	});
	logOutcome(event, 'email_change_requested', change.newEmail, requested);
	return requested;
};

/** The user, session and device that confirm an email change. */
export const confirmer = (event: RequestEvent): Confirmer => {
	const { user, session } = requireSession(event);
	return { user, session: session.id, source: requestSourceOf(event) };
};
