import type { RequestEvent } from '@sveltejs/kit';
import type { EmailChanged } from '#lib/domain/email-change/email-changes.ts';
import type { Result } from '#lib/domain/result.ts';
import type { Confirmer } from '#lib/domain/email-change/complete-email-change.ts';
import type {
	RequestEmailChangeError,
	RequestEmailChangeInput
} from '#lib/domain/email-change/request-email-change.ts';
import { deviceOf } from '../sessions/device.ts';
import { showChanged, voidCaches } from '../sessions/session-response.ts';
import { recordOutcome } from '../pipeline/log-event.ts';
import { requireSession } from '../sessions/require-user.ts';

/** Requests a change of the email address of the signed-in user. */
export const askForChange = async (
	event: RequestEvent,
	asked: Pick<RequestEmailChangeInput, 'newEmail' | 'way' | 'callbackUrl'> & {
		/** The code from the current address, which a session that is not fresh needs. */
		readonly proof?: string | undefined;
	}
): Promise<Result<unknown, RequestEmailChangeError>> => {
	const { user, session } = requireSession(event);
	const requested = await event.locals.app.requestEmailChange({
		...asked,
		user,
		session,
		device: deviceOf(event),
		proof: asked.proof ?? null
	});
	recordOutcome(event, 'email_change_requested', asked.newEmail, requested);
	return requested;
};

/** Who confirms a change of address. */
export const confirmer = (event: RequestEvent): Confirmer => {
	const { user, session } = requireSession(event);
	return { user, session: session.id, device: deviceOf(event) };
};

/** After a change of address: its other sessions are over, and this one goes on under the new one. */
export const moved = (event: RequestEvent, { user, ended }: EmailChanged): void => {
	voidCaches(event, ended);
	showChanged(event, user);
};
