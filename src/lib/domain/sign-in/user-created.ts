import type { Background } from '../background.ts';
import type { AnyMail } from '../delivery/mailer.ts';
import type { OutboxOf } from '../delivery/outbox.ts';
import type { User } from '../account/user.ts';
import { deliverOrThrow } from '../delivery/deliver.ts';

/**
 * Runs after an account is created, once per account. The account's data is already stored with
 * it (`newAccount`). This is the part outside the database. It neither delays nor fails the
 * sign-in. It is never retried: a welcome email is sent at most once.
 */
export type UserCreated = (user: User) => void;

export interface WelcomeMail extends AnyMail {
	readonly kind: 'welcome';
}

export interface UserCreatedDeps {
	readonly outbox: OutboxOf<WelcomeMail>;
	readonly background: Background;
}

export const makeUserCreated =
	(deps: UserCreatedDeps): UserCreated =>
	(user) =>
		deps.background.run('welcome mail', () =>
			deliverOrThrow(deps.outbox, { kind: 'welcome', to: user.email })
		);
