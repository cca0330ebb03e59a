import {
	makeCancelEmailChange,
	type CancelEmailChange
} from './email-change/cancel-email-change.ts';
import { makeChangeEmail, type ChangeEmail } from './email-change/change-email.ts';
import { makeCheckCode, type CheckCode } from './sign-in/check-code.ts';
import {
	makeConfirmEmailChange,
	type ConfirmEmailChange
} from './email-change/confirm-email-change.ts';
import { makeDeleteAccount, type DeleteAccount } from './account/delete-account.ts';
import { makeEndSession, type EndSession } from './sessions/end-session.ts';
import { makeGrantConsent, type GrantConsent } from './consent/grant-consent.ts';
import { makeManageSessions, type ManageSessions } from './sessions/manage-sessions.ts';
import { makePruneThrottle, type PruneThrottle } from './limits/prune-throttle.ts';
import {
	makeBeginPurchase,
	makeClaimPurchase,
	makeReadPurchase,
	makeRecordPurchase,
	type BeginPurchase,
	type ClaimPurchase,
	type PurchaseDeps,
	type ReadPurchase,
	type RecordPurchase
} from './purchases/claim-purchases.ts';
import { makePurgeAccounts, type PurgeAccounts } from './account/purge-accounts.ts';
import {
	makeReadChangeLink,
	makeReadEmailChange,
	type ReadChangeLink,
	type ReadEmailChange
} from './email-change/read-email-change.ts';
import { makeReadPendingCode, type ReadPendingCode } from './sign-in/read-pending-code.ts';
import { makeReadSession, type ReadSession } from './sessions/read-session.ts';
import { makeRequestCode, type RequestCode, type RequestCodeDeps } from './sign-in/request-code.ts';
import {
	makeRequestEmailChange,
	type RequestEmailChange,
	type RequestEmailChangeDeps
} from './email-change/request-email-change.ts';
import {
	makeReadRestoreGrant,
	makeRestoreAccount,
	type ReadRestoreGrant,
	type RestoreAccount
} from './account/restore-account.ts';
import { makeUpdateProfile, type UpdateProfile } from './account/update-profile.ts';
import { makeUserCreated } from './sign-in/user-created.ts';
import { makeVerifyCode, type VerifyCode } from './sign-in/verify-code.ts';
import { makeVerifyEmail, type VerifyEmail } from './sign-in/verify-email.ts';
import type { Stores } from './ports/stores.ts';

/** Every use-case of Postern, independent of how a request arrives. */
export interface UseCases {
	readonly requestCode: RequestCode;
	readonly readPendingCode: ReadPendingCode;
	readonly checkCode: CheckCode;
	readonly verifyCode: VerifyCode;
	readonly verifyEmail: VerifyEmail;

	readonly readSession: ReadSession;
	readonly endSession: EndSession;
	readonly sessionsOf: ManageSessions;

	readonly requestEmailChange: RequestEmailChange;
	readonly readEmailChange: ReadEmailChange;
	readonly readChangeLink: ReadChangeLink;
	readonly confirmEmailChange: ConfirmEmailChange;
	readonly changeEmail: ChangeEmail;
	readonly cancelEmailChange: CancelEmailChange;

	readonly updateProfile: UpdateProfile;
	readonly grantConsent: GrantConsent;
	readonly deleteAccount: DeleteAccount;
	readonly readRestoreGrant: ReadRestoreGrant;
	readonly restoreAccount: RestoreAccount;

	readonly beginPurchase: BeginPurchase;
	readonly recordPurchase: RecordPurchase;
	readonly readPurchase: ReadPurchase;
	readonly claimPurchase: ClaimPurchase;

	readonly pruneThrottle: PruneThrottle;
	readonly purgeAccounts: PurgeAccounts;
}

/** All ports and settings that the use-cases need. */
export type UseCaseDeps = Stores & RequestCodeDeps & RequestEmailChangeDeps & PurchaseDeps;

export const makeUseCases = (deps: UseCaseDeps): UseCases => ({
	requestCode: makeRequestCode(deps),
	readPendingCode: makeReadPendingCode(deps),
	checkCode: makeCheckCode(deps),
	verifyCode: makeVerifyCode({ ...deps, userCreated: makeUserCreated(deps) }),
	verifyEmail: makeVerifyEmail(deps),

	readSession: makeReadSession(deps),
	endSession: makeEndSession(deps),
	sessionsOf: makeManageSessions(deps),

	requestEmailChange: makeRequestEmailChange(deps),
	readEmailChange: makeReadEmailChange(deps),
	readChangeLink: makeReadChangeLink(deps),
	confirmEmailChange: makeConfirmEmailChange(deps),
	changeEmail: makeChangeEmail(deps),
	cancelEmailChange: makeCancelEmailChange(deps),

	updateProfile: makeUpdateProfile(deps),
	grantConsent: makeGrantConsent(deps),
	deleteAccount: makeDeleteAccount(deps),
	readRestoreGrant: makeReadRestoreGrant(deps),
	restoreAccount: makeRestoreAccount(deps),

	beginPurchase: makeBeginPurchase(deps),
	recordPurchase: makeRecordPurchase(deps),
	readPurchase: makeReadPurchase(deps),
	claimPurchase: makeClaimPurchase(deps),

	pruneThrottle: makePruneThrottle(deps),
	purgeAccounts: makePurgeAccounts(deps)
});
