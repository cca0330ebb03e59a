import type { RequestEvent } from '@sveltejs/kit';
import type { EmailChanged } from '#lib/domain/ports/email-changes.ts';
import type { Result } from '#lib/domain/result.ts';
import type { Confirmer } from '#lib/domain/use-cases/complete-email-change.ts';
import type {
	RequestEmailChangeError,
	RequestEmailChangeInput
} from '#lib/domain/use-cases/request-email-change.ts';
import { deviceOf } from './device.ts';
import { showChanged, voidCaches } from './held-session.ts';
import { recordOutcome } from './record.ts';
import { requireSession } from './require-user.ts';

/** Asks for a change of the address of whoever is signed in. */
export const askForChange = async (
	event: RequestEvent,
	asked: Pick<RequestEmailChangeInput, 'newEmail' | 'way' | 'callbackUrl'> & {
		/** A code from the current address, where one is asked for. */
		readonly proof?: string | undefined;
	}
): Promise<Result<unknown, RequestEmailChangeError>> => {
	const { user } = requireSession(event);
	const { app, authCookies } = event.locals;
	const requested = await app.requestEmailChange({
		...asked,
		user,
		device: deviceOf(event),
		proof:
			asked.proof === undefined ? null : { code: asked.proof, browser: authCookies.browserKey() }
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
