import type { RequestEvent } from '@sveltejs/kit';
import type { DomainError } from '#lib/domain/errors.ts';
import type { Result } from '#lib/domain/result.ts';

type Fields = Readonly<Record<string, string | number | boolean | null>>;

/** Logs what happened with who asked and in which request. Never a code, a token or a whole address. */
export const record = (event: RequestEvent, name: string, fields: Fields = {}): void => {
	const { app, requestId, clientAddress } = event.locals;
	app.log.event(name, { requestId, client: clientAddress, ...fields });
};

/** Logs how an attempt with an address ended: `ok` or the code of the domain's error. */
export const recordOutcome = (
	event: RequestEvent,
	name: string,
	typed: string,
	outcome: Result<unknown, DomainError>
): void =>
	record(event, name, {
		outcome: outcome.ok ? 'ok' : outcome.error.code,
		email: maskTyped(typed),
		via: event.route.id
	});

/** Nothing that blanks, controls or turns round the line it stands in. */
const MASKABLE = /^\s*([^\s@\p{C}])[^@]*@([^\s@\p{C}]{1,255})\s*$/u;

/**
 * Of what was typed as an address the first character and the domain: enough to follow one person's
 * trouble, too little to write to them. What is no address at all is not repeated.
 */
export const maskTyped = (typed: string): string | null => {
	const [, first, domain] = MASKABLE.exec(typed.slice(0, 512)) ?? [];
	return first === undefined || domain === undefined ? null : `${first}***@${domain}`;
};
