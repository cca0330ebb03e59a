import type { RequestEvent } from '@sveltejs/kit';
import type { Confirmer } from '#lib/domain/email-change/complete-email-change.ts';
import { networkOf, requestSourceOf } from '../edge/client.ts';
import type { CountedEvent } from '../edge/limits/client-limits.ts';
import { logOutcome } from '../http/log-event.ts';
import { requireSession } from '../edge/require-user.ts';

const requestOf = (event: RequestEvent, newEmail: string, currentCode: string | null) => ({
	...requireSession(event),
	newEmail,
	currentCode,
	source: requestSourceOf(event),
	network: networkOf(event)
});

/**
 * Requests an email change for the signed-in user, confirmed by a code. `currentCode` is from the
 * current email address, and required if the session is not fresh.
 */
export const requestChange = async (
	event: CountedEvent<'send'>,
	newEmail: string,
	currentCode: string | null = null
) => {
	const request = requestOf(event, newEmail, currentCode);
	const requested = await event.locals.app.requestEmailChange(request);
	logOutcome(event, 'email_change_requested', newEmail, requested);
	return requested;
};

/** The same, confirmed by a link that redirects to `callbackUrl`. */
export const requestChangeByLink = async (
	event: CountedEvent<'send'>,
	newEmail: string,
	currentCode: string | null = null,
	callbackUrl: string | null = null
) => {
	const request = requestOf(event, newEmail, currentCode);
	const requested = await event.locals.app.requestEmailChangeByLink(request, callbackUrl);
	logOutcome(event, 'email_change_requested', newEmail, requested);
	return requested;
};

/** The user and session that confirm an email change, and where the request came from. */
export const confirmer = (event: RequestEvent): Confirmer => {
	const { user, session } = requireSession(event);
	return { user, session: session.id, source: requestSourceOf(event) };
};
