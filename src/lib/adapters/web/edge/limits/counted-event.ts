import type { Action, RequestEvent } from '@sveltejs/kit';
import type { UseCases } from '#lib/domain/use-cases.ts';
import type { LimitName } from './client-limits.ts';

/** The use-cases whose callers must count against a limit. */
interface CountedUseCases {
	/** They send a code or a link. */
	send: 'requestCode' | 'requestEmailChange';
	/** They check a code. */
	check: 'checkCode' | 'verifyCode' | 'verifyEmail' | 'changeEmail';
}

/** `locals.app` of other events does not have these, so no route can call them uncounted. */
export type CountedUseCase = CountedUseCases[keyof CountedUseCases];

/**
 * The event of a request that counts against `Limit`. Only `endpoint` and `pageActions` provide it,
 * and both compare the limit with the rules of the route.
 */
export type CountedEvent<Limit extends LimitName | null> = Limit extends keyof CountedUseCases
	? RequestEvent & {
			readonly locals: { readonly app: Pick<UseCases, CountedUseCases[Limit]> };
		}
	: RequestEvent;

/** A form action that only runs for a counted request. */
export type CountedAction<Limit extends LimitName> = (
	event: CountedEvent<Limit>
) => ReturnType<Action>;
