import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ConsentRecordId, Ids, UserId } from '../ids.ts';
import type { Signer } from '../ports.ts';
import type { SecretHasher, UnsubscribeToken } from '../secret.ts';
import type { Clock } from '../time.ts';
import type { User } from '../user.ts';
import { makeGrantConsent, type GrantConsentDeps } from './grant-consent.ts';
import type { ConsentOccasion, ConsentRecord, Consents, UnsubscribeLink, UnsubscribeLinks } from './ports.ts';

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

/**
 * Returns the token of an account's unsubscribe link. It stays the same while `AUTH_SECRET` does.
 * Null when the account is gone: it must get no email.
 */
export type IssueUnsubscribeToken = (user: Pick<User, 'id'>) => Promise<UnsubscribeToken | null>;

/** Reads a link without using it. Null when it belongs to no account. */
export type ReadUnsubscribeLink = (token: UnsubscribeToken) => Promise<UnsubscribeLink | null>;

/** Withdraws the consent of the account of a link. Repeating it succeeds and changes nothing. */
export type WithdrawByLink = (
	token: UnsubscribeToken,
	occasion: ConsentOccasion
) => Promise<Result<null, ErrorOf<'unknown_unsubscribe_link'>>>;

interface LinkDeps {
	readonly unsubscribeLinks: UnsubscribeLinks;
	readonly secretHasher: SecretHasher;
	readonly clock: Clock;
}

/**
 * The token is a signature of the account, so it needs no storage of its own and is always the same.
 * Links are checked against the stored hash and not against the key. So a link works for as long as
 * its account exists, also after its key is gone.
 */
export const makeIssueUnsubscribeToken =
	(deps: LinkDeps & { readonly unsubscribeSigner: Signer }): IssueUnsubscribeToken =>
	async ({ id }) => {
		const token = deps.unsubscribeSigner.sign(`unsubscribe ${id}`) as UnsubscribeToken;
		const hash = deps.secretHasher.ofUnsubscribeToken(token);
		const kept = await deps.unsubscribeLinks.keep(hash, id, deps.clock.now());
		return kept ? token : null;
	};

export const makeReadUnsubscribeLink =
	({
		unsubscribeLinks,
		secretHasher
	}: Pick<LinkDeps, 'unsubscribeLinks' | 'secretHasher'>): ReadUnsubscribeLink =>
	(token) =>
		unsubscribeLinks.find(secretHasher.ofUnsubscribeToken(token));

export const makeWithdrawByLink =
	(deps: LinkDeps & { readonly consents: Consents; readonly ids: Ids }): WithdrawByLink =>
	async (token, occasion) => {
		const link = await makeReadUnsubscribeLink(deps)(token);
		if (link === null) return unknownLink;
		const id = deps.ids.next() as ConsentRecordId;
		const change = { id, userId: link.userId, at: deps.clock.now(), occasion };
		// False if the account was purged since the link was read.
		return (await deps.consents.withdrawMarketing(change)) ? ok(null) : unknownLink;
	};

const unknownLink = err({ code: 'unknown_unsubscribe_link' } as const);

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
