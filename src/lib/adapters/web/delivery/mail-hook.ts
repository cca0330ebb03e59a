import type { MailEvent } from '#lib/domain/delivery/ports.ts';
import type { Result } from '#lib/domain/errors.ts';

/**
 * `forged`: the provider did not send this. `stale`: it was sent too long ago, which the
 * library for Resend reports as forged. `unreadable`: it is not in the form of the provider.
 * `unavailable`: it could not be checked for now.
 */
export type HookRefusal = 'forged' | 'stale' | 'unreadable' | 'unavailable';

/** Null for an authentic request that reports nothing of interest. */
export type HookResult = Result<MailEvent | null, HookRefusal>;

/** How one provider reports what became of emails. */
export interface MailHook {
	/** Whether it also sends its JSON as `text/plain`. */
	readonly sendsText: boolean;
	/** Authenticates a request, then reads it. */
	readonly read: (request: {
		readonly headers: Headers;
		/** Exactly as it was sent, because some providers sign it. */
		readonly body: string;
	}) => Promise<HookResult>;
}

/** The JSON of a text. Undefined if it is none. */
export const jsonOf = (text: string): unknown => {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
};
