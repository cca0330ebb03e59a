import { account } from './account/use-cases.ts';
import { consent } from './consent/use-cases.ts';
import { delivery } from './delivery/use-cases.ts';
import type { UseCaseDeps } from './deps.ts';
import { emailChange } from './email-change/use-cases.ts';
import { events } from './events/use-cases.ts';
import { operators } from './operators/use-cases.ts';
import { oidc } from './oidc/use-cases.ts';
import { purchases } from './purchases/use-cases.ts';
import { sessions } from './sessions/use-cases.ts';
import { signIn } from './sign-in/use-cases.ts';
import { makePruneExpired } from './tasks/prune-expired.ts';

/** The makers of all use-cases, by the name of the use-case. Each capability lists its own. */
const makers = {
	...signIn,
	...sessions,
	...emailChange,
	...account,
	...delivery,
	pruneExpired: makePruneExpired,
	...consent,
	...purchases,
	...events,
	...operators,
	...oidc
};

type Makers = typeof makers;

export type UseCases = { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> };

// The cast: `Object.fromEntries` forgets which name has which type.
export const makeUseCases = (deps: UseCaseDeps): UseCases =>
	Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make(deps)])) as UseCases;
