import type { Action, RequestEvent } from '@sveltejs/kit';
import type { UseCases } from '#lib/domain/use-cases.ts';

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

/** The use-cases whose callers must count against a limit. */
interface CountedUseCases {
	send: 'requestCode' | 'requestEmailChange' | 'requestEmailChangeByLink';
	check: 'checkCode' | 'verifyCode' | 'verifyEmail' | 'changeEmailByCode';
}

/** `locals.app` of other events does not have these, so no route can call them uncounted. */
export type CountedUseCase = CountedUseCases[keyof CountedUseCases];

/**
 * The event of a request that counts against `Limit`. Only `endpoint` and `pageActions` provide it,
 * and both compare the limit with the rules of the route.
 */
export type CountedEvent<Limit extends LimitName | 'none'> = Limit extends keyof CountedUseCases
	? RequestEvent & {
			readonly locals: { readonly app: Pick<UseCases, CountedUseCases[Limit]> };
		}
	: RequestEvent;

/** A form action that only runs for a counted request. */
export type CountedAction<Limit extends LimitName> = (
	event: CountedEvent<Limit>
) => ReturnType<Action>;
