import type { UserId } from '../ids.ts';
import type { Accounts, ProfileChange } from './accounts.ts';
import type { Clock } from '../clock.ts';
import type { User } from './user.ts';

/** Changes a user's profile. Returns null when the account is gone. */
export type UpdateProfile = (id: UserId, change: ProfileChange) => Promise<User | null>;

export interface UpdateProfileDeps {
	readonly accounts: Accounts;
	readonly clock: Clock;
}

export const makeUpdateProfile =
	({ accounts, clock }: UpdateProfileDeps): UpdateProfile =>
	(id, change) =>
		accounts.update(id, change, clock.now());
