import type { ConsentRecordId, UserId } from '../ids.ts';
import type { ConsentOccasion } from './consent-record.ts';
import type { GrantConsentDeps } from './grant-consent.ts';

/** Records that a user withdrew the consent. Returns false when the account is gone. */
export type WithdrawConsent = (userId: UserId, occasion: ConsentOccasion) => Promise<boolean>;

export type WithdrawDeps = Omit<GrantConsentDeps, 'policy'>;

export const makeWithdrawConsent =
	({ consents, ids, clock }: WithdrawDeps): WithdrawConsent =>
	(userId, occasion) =>
		consents.withdrawMarketing({
			id: ids.next() as ConsentRecordId,
			userId,
			at: clock.now(),
			occasion
		});

/**
 * Withdraws the consent of an account that reported an email as spam. A consent that was given after
 * the report stays, so a report that arrives again later changes nothing.
 */
export type WithdrawByComplaint = (userId: UserId, reportedAt: Date) => Promise<void>;

export const makeWithdrawByComplaint =
	({ consents, ids, clock }: WithdrawDeps): WithdrawByComplaint =>
	async (userId, reportedAt) => {
		const id = ids.next() as ConsentRecordId;
		const occasion = { source: 'complaint', place: null, wording: null } as const;
		await consents.withdrawMarketing({ id, userId, at: clock.now(), occasion }, reportedAt);
	};
