import type { ErrorOf } from '../errors.ts';
import type { ConsentRecordId, Ids } from '../ids.ts';
import type { User } from '../account/user.ts';
import type { Clock } from '../clock.ts';
import { err, ok, type Result } from '../result.ts';
import type { UnsubscribeToken } from '../secret.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import type { Signer } from '../signer.ts';
import type { ConsentOccasion } from './consent-record.ts';
import type { Consents } from './consents.ts';
import type { UnsubscribeLink, UnsubscribeLinks } from './unsubscribe-links.ts';

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
