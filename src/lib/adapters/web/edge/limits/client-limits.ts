/**
 * The limits per client. Every limited request counts against `default`. A request that sends a code
 * or a link also counts against `send`, and one that checks a code also against `check`.
 */
export type LimitName = 'default' | 'send' | 'check';

/** Per client: the number of hits allowed in any `window` seconds. */
export const LIMITS: Readonly<
	Record<LimitName, { readonly limit: number; readonly window: number }>
> = {
	default: { limit: 100, window: 60 },
	send: { limit: 20, window: 60 },
	check: { limit: 30, window: 60 }
};
