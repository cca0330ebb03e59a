import type { RequestEvent } from '@sveltejs/kit';
import type { Confirmer } from '#lib/domain/email-change/change-email.ts';
import type { EmailChangeRequest } from '#lib/domain/email-change/request-email-change.ts';
import type { DomainError, Result } from '#lib/domain/errors.ts';
import { networkOf, requestSourceOf } from '../edge/client.ts';
import { logOutcome } from '../http/log-event.ts';
import { requireSession } from '../edge/require-user.ts';

/**
 * Requests an email change for the signed-in user, by one of the two use-cases for it. `currentCode` is
 * from the current email address, and required if the session is not fresh.
 */
export const requestChange = async <R extends Result<unknown, DomainError>>(
	event: RequestEvent,
	newEmail: string,
	currentCode: string | null,
	requestBy: (request: EmailChangeRequest) => Promise<R>
): Promise<R> => {
	const requested = await requestBy({
		...requireSession(event),
		newEmail,
		currentCode,
		source: requestSourceOf(event),
		network: networkOf(event)
	});
	logOutcome(event, 'email_change_requested', newEmail, requested);
	return requested;
};

/** The user and session that confirm an email change, and where the request came from. */
export const confirmer = (event: RequestEvent): Confirmer => {
	const { user, session } = requireSession(event);
	return { user, session: session.id, source: requestSourceOf(event) };
};
