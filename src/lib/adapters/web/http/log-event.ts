import type { RequestEvent } from '@sveltejs/kit';
import type { DomainError, Result } from '#lib/domain/errors.ts';
import type { LogFields } from '#lib/domain/ports.ts';
import type { VerifiedCode, VerifyCodeError } from '#lib/domain/sign-in/verify-code.ts';

/**
 * Logs an event with the request id and what `LOG_CLIENT` allows of the client address. Never log a
 * code, a token or a whole email address.
 */
export const logEvent = (event: RequestEvent, name: string, fields: LogFields = {}): void => {
	const { app, requestId, clientAddress } = event.locals;
	app.log.event(name, { requestId, client: app.loggedClient(clientAddress), ...fields });
};

/**
 * A typed email address. Excludes white space, control characters and bidi marks, so that the value
 * cannot distort the log line.
 */
const MASKABLE = /^\s*([^\s@\p{C}])[^@]*@([^\s@\p{C}]{1,255})\s*$/u;

/**
 * Logs the result of an attempt with a typed email address: `ok` or the code of the domain error. Of
 * the address, it logs the first character and the domain. That is enough to follow a support case,
 * and too little to write to the person. Pages and emails use `maskEmail`.
 */
export const logOutcome = (
	event: RequestEvent,
	name: string,
	typed: string,
	outcome: Result<unknown, DomainError>,
	fields: LogFields = {}
): void => {
	const [, first, domain] = MASKABLE.exec(typed.slice(0, 512)) ?? [];
	logEvent(event, name, {
		outcome: outcome.ok ? 'ok' : outcome.error.code,
		email: first && domain ? `${first}***@${domain}` : null,
		via: event.route.id,
		...fields
	});
};

/** Logs an attempt to sign in. For a right code, also how long its email and its entry took. */
export const logEnteredCode = (
	event: RequestEvent,
	typed: string,
	verified: Result<VerifiedCode, VerifyCodeError>
): void => {
	const fields = verified.ok ? { secondsSinceSend: verified.value.secondsSinceSend } : {};
	logOutcome(event, 'code_entered', typed, verified, fields);
};
