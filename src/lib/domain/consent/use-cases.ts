import type { ErrorOf } from '../errors.ts';
import type { ConsentRecordId, Ids, UserId } from '../ids.ts';
import type { Clock } from '../clock.ts';
import type { AuthPolicy } from '../policy.ts';
import { err, ok, type Result } from '../result.ts';
import { secondsAfter } from '../time.ts';
import type { ConsentOccasion, ConsentRecord } from './consent-record.ts';
import type { Consents } from './consents.ts';
import type { ComplaintStep } from '../delivery/bounces/complaint-step.ts';
import {
	makeIssueUnsubscribeToken,
	makeReadUnsubscribeLink,
	makeWithdrawByLink
} from './unsubscribe.ts';

/**
 * Records a user's consent to marketing. An earlier consent keeps its time. The value is false when
 * the account is gone.
 */
export type GrantConsent = (
	userId: UserId,
	occasion: ConsentOccasion
) => Promise<Result<boolean, ErrorOf<'too_many_consents'>>>;

/** Records that a user withdrew the consent. Returns false when the account is gone. */
export type WithdrawConsent = (userId: UserId, occasion: ConsentOccasion) => Promise<boolean>;

/** The latest decisions of a user, newest first. */
export type ReadConsentHistory = (userId: UserId) => Promise<readonly ConsentRecord[]>;

export interface ConsentDeps {
	readonly consents: Consents;
	readonly ids: Ids;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

/**
 * Records are never removed, so the limit bounds what one account can store. It does not limit
 * withdrawals: each needs a consent before it.
 */
export const makeGrantConsent =
	({ consents, ids, clock, policy }: ConsentDeps): GrantConsent =>
	async (userId, occasion) => {
		const at = clock.now();
		const { grants, window } = policy.consent;
		const granted = await consents.grantMarketing(
			{ id: ids.next() as ConsentRecordId, userId, at, occasion },
			{ grants, since: secondsAfter(at, -window) }
		);
		if (granted.kind !== 'too_many') return ok(granted.kind !== 'no_account');
		const free = secondsAfter(granted.oldest, window).getTime() - at.getTime();
		return err({ code: 'too_many_consents', retryAfter: Math.max(1, Math.ceil(free / 1000)) });
	};

export const makeWithdrawConsent =
	({ consents, ids, clock }: Omit<ConsentDeps, 'policy'>): WithdrawConsent =>
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
export const makeWithdrawByComplaint =
	({ consents, ids, clock }: Omit<ConsentDeps, 'policy'>): ComplaintStep =>
	async (userId, reportedAt) => {
		const id = ids.next() as ConsentRecordId;
		const occasion = { source: 'complaint', place: null, wording: null } as const;
		await consents.withdrawMarketing({ id, userId, at: clock.now(), occasion }, reportedAt);
	};

export const makeReadConsentHistory =
	({ consents, policy }: Pick<ConsentDeps, 'consents' | 'policy'>): ReadConsentHistory =>
	(userId) =>
		consents.historyOf(userId, policy.consent.shown);

export const consent = {
	grantConsent: makeGrantConsent,
	withdrawConsent: makeWithdrawConsent,
	readConsentHistory: makeReadConsentHistory,
	issueUnsubscribeToken: makeIssueUnsubscribeToken,
	readUnsubscribeLink: makeReadUnsubscribeLink,
	withdrawByLink: makeWithdrawByLink
};
