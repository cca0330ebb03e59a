import { makeCancelEmailChange, type CancelEmailChange } from './use-cases/cancel-email-change.ts';
import { makeChangeEmail, type ChangeEmail } from './use-cases/change-email.ts';
import { makeCheckCode, type CheckCode } from './use-cases/check-code.ts';
import {
	makeConfirmEmailChange,
	type ConfirmEmailChange
} from './use-cases/confirm-email-change.ts';
import { makeDeleteAccount, type DeleteAccount } from './use-cases/delete-account.ts';
import { makeEndSession, type EndSession } from './use-cases/end-session.ts';
import { makeGrantConsent, type GrantConsent } from './use-cases/grant-consent.ts';
import { makeManageSessions, type ManageSessions } from './use-cases/manage-sessions.ts';
import { makePruneThrottle, type PruneThrottle } from './use-cases/prune-throttle.ts';
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
} from './use-cases/purchases.ts';
import { makePurgeAccounts, type PurgeAccounts } from './use-cases/purge-accounts.ts';
import {
	makeReadChangeLink,
	makeReadEmailChange,
	type ReadChangeLink,
	type ReadEmailChange
} from './use-cases/read-email-change.ts';
import { makeReadPendingCode, type ReadPendingCode } from './use-cases/read-pending-code.ts';
import { makeReadSession, type ReadSession } from './use-cases/read-session.ts';
import {
	makeRequestCode,
	type RequestCode,
	type RequestCodeDeps
} from './use-cases/request-code.ts';
import {
	makeRequestEmailChange,
	type RequestEmailChange,
	type RequestEmailChangeDeps
} from './use-cases/request-email-change.ts';
import {
	makeReadLeave,
	makeRestoreAccount,
	type ReadLeave,
	type RestoreAccount
} from './use-cases/restore-account.ts';
import { makeUpdateProfile, type UpdateProfile } from './use-cases/update-profile.ts';
import { makeUserCreated } from './use-cases/user-created.ts';
import { makeVerifyCode, type VerifyCode } from './use-cases/verify-code.ts';
import { makeVerifyEmail, type VerifyEmail } from './use-cases/verify-email.ts';
import type { Stores } from './ports/stores.ts';

/** Everything that can be asked of Postern, by whatever way a request comes in. */
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
	readonly readLeave: ReadLeave;
	readonly restoreAccount: RestoreAccount;

	readonly beginPurchase: BeginPurchase;
	readonly recordPurchase: RecordPurchase;
	readonly readPurchase: ReadPurchase;
	readonly claimPurchase: ClaimPurchase;

	readonly pruneThrottle: PruneThrottle;
	readonly purgeAccounts: PurgeAccounts;
}

/** All ports and choices the use-cases are made of. */
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
	readLeave: makeReadLeave(deps),
	restoreAccount: makeRestoreAccount(deps),

	beginPurchase: makeBeginPurchase(deps),
	recordPurchase: makeRecordPurchase(deps),
	readPurchase: makeReadPurchase(deps),
	claimPurchase: makeClaimPurchase(deps),

	pruneThrottle: makePruneThrottle(deps),
	purgeAccounts: makePurgeAccounts(deps)
});
