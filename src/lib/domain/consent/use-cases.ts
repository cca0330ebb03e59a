import type { UserId } from '../ids.ts';
import type { ConsentRecord } from './consent-record.ts';
import { makeGrantConsent, type GrantConsentDeps } from './grant-consent.ts';
import {
	makeIssueUnsubscribeToken,
	makeReadUnsubscribeLink,
	makeWithdrawByLink
} from './unsubscribe.ts';
import { makeWithdrawConsent } from './withdraw-consent.ts';

/** The latest decisions of a user, newest first. */
type ReadConsentHistory = (userId: UserId) => Promise<readonly ConsentRecord[]>;

const makeReadConsentHistory =
	({ consents, policy }: Pick<GrantConsentDeps, 'consents' | 'policy'>): ReadConsentHistory =>
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
