import { account } from './account/use-cases.ts';
import { delivery } from './delivery/use-cases.ts';
import type { MailerOf } from './delivery/mailer.ts';
import type { OutboxOf } from './delivery/outbox.ts';
import { devices } from './devices/report-device.ts';
import { emailChange } from './email-change/use-cases.ts';
import { limits } from './limits/prune-throttle.ts';
import { consent } from './consent/use-cases.ts';
import { purchases } from './purchases/use-cases.ts';
import { sessions } from './sessions/use-cases.ts';
import { signIn } from './sign-in/use-cases.ts';

/** The makers of all use-cases, by the name of the use-case. Each capability lists its own. */
const makers = {
	...signIn,
	...sessions,
	...devices,
	...emailChange,
	...account,
	...delivery,
	...limits,
	...consent,
	...purchases
};

type Makers = typeof makers;

/** Every use-case of Postern, independent of how a request arrives. */
export type UseCases = { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> };

type MailSentBy<Make> = Make extends (deps: infer Deps) => unknown
	? | (Deps extends { readonly mailer: MailerOf<infer Sent> } ? Sent : never)
		| (Deps extends { readonly outbox: OutboxOf<infer Sent> } ? Sent : never)
	: never;

/** Every email. Each use-case states in its needs which ones it sends. */
export type Mail = MailSentBy<Makers[keyof Makers]>;
export type Mailer = MailerOf<Mail>;
export type Outbox = OutboxOf<Mail>;

/** All ports and settings that the use-cases need. */
type Needs = Makers[keyof Makers] extends (deps: infer Deps) => unknown ? Deps : never;
export type UseCaseDeps = Omit<Needs, 'mailer' | 'outbox'> & {
	readonly mailer: Mailer;
	readonly outbox: Outbox;
};

export const makeUseCases = (deps: UseCaseDeps): UseCases =>
	Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make(deps)])) as UseCases;
