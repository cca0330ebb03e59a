import { account } from './account/use-cases.ts';
import { consent } from './consent/use-cases.ts';
import { emailChange } from './email-change/use-cases.ts';
import { limits } from './limits/use-cases.ts';
import { purchases } from './purchases/use-cases.ts';
import { sessions } from './sessions/use-cases.ts';
import { signIn } from './sign-in/use-cases.ts';

/** The makers of all use-cases, by the name of the use-case. Each capability lists its own. */
const makers = {
	...signIn,
	...sessions,
	...emailChange,
	...account,
	...consent,
	...purchases,
	...limits
};

type Makers = typeof makers;

/** Every use-case of Postern, independent of how a request arrives. */
export type UseCases = { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> };

/** All ports and settings that the use-cases need: what each of the makers takes, together. */
export type UseCaseDeps = Makers[keyof Makers] extends (deps: infer Deps) => unknown ? Deps : never;

export const makeUseCases = (deps: UseCaseDeps): UseCases => {
	const made = Object.entries(makers).map(([name, make]) => [name, make(deps)]);
	return Object.fromEntries(made) as UseCases;
};
