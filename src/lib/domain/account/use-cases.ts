import { makeDeleteAccount } from './delete-account.ts';
import { makePurgeAccounts } from './purge-accounts.ts';
import { makeReadRestoreGrant, makeRestoreAccount } from './restore-account.ts';
import type { UserId } from '../ids.ts';
import type { Accounts, ProfileChange } from './accounts.ts';
import type { Clock } from '../clock.ts';
import type { Name } from './name.ts';
import type { User } from './user.ts';

/** Changes a user's profile. Returns null when the account is gone. */
type UpdateProfile = (id: UserId, change: ProfileChange) => Promise<User | null>;

interface ProfileDeps {
	readonly accounts: Accounts;
	readonly clock: Clock;
}

const makeUpdateProfile =
	({ accounts, clock }: ProfileDeps): UpdateProfile =>
	(id, change) =>
		accounts.update(id, change, clock.now());

/**
 * Stores the first answer to the question for a name. Returns the account, which keeps an earlier
 * answer, or null when it is gone.
 */
type AnswerName = (id: UserId, name: Name) => Promise<User | null>;

const makeAnswerName =
	({ accounts, clock }: ProfileDeps): AnswerName =>
	(id, name) =>
		accounts.answerName(id, name, clock.now());

export const account = {
	updateProfile: makeUpdateProfile,
	answerName: makeAnswerName,
	deleteAccount: makeDeleteAccount,
	readRestoreGrant: makeReadRestoreGrant,
	restoreAccount: makeRestoreAccount,
	purgeAccounts: makePurgeAccounts
};
