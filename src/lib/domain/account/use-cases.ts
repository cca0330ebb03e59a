import { makeDeleteAccount } from './delete-account.ts';
import { makePurgeAccounts } from './purge-accounts.ts';
import { makeReadRestoreGrant, makeRestoreAccount } from './restore-account.ts';
import { makeUpdateProfile } from './update-profile.ts';

export const account = {
	updateProfile: makeUpdateProfile,
	deleteAccount: makeDeleteAccount,
	readRestoreGrant: makeReadRestoreGrant,
	restoreAccount: makeRestoreAccount,
	purgeAccounts: makePurgeAccounts
};
