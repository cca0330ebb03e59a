import type { Background } from '../ports/background.ts';
import type { Outbox } from '../delivery/outbox.ts';
import type { User } from '../account/user.ts';
import { deliverOrThrow } from '../delivery/deliver.ts';

/**
 * What follows the creation of an account, once per account. Its data is written with it
 * (`newAccount`); this is the part that leaves the database. It neither delays nor fails the
 * sign-in, and it is not tried again: a welcome is sent at most once.
 */
export type UserCreated = (user: User) => void;

export interface UserCreatedDeps {
	readonly outbox: Outbox;
	readonly background: Background;
}

export const makeUserCreated =
	(deps: UserCreatedDeps): UserCreated =>
	(user) =>
		deps.background.run('welcome mail', () =>
			deliverOrThrow(deps.outbox, { kind: 'welcome', to: user.email })
		);
