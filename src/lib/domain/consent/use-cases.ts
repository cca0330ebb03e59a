import { fromStore, type UseCaseDeps } from '../deps.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ConsentRecordId, UserId } from '../ids.ts';
import type { UnsubscribeToken } from '../secret.ts';
import type { User } from '../user.ts';
import { makeGrantConsent } from './grant-consent.ts';
import type { ConsentOccasion, UnsubscribeLink } from './ports.ts';

/** False when the account is gone. With `givenBy`, a consent that was given later stays. */
export const makeWithdrawConsent =
	({ consents, ids, clock }: UseCaseDeps) =>
	(userId: UserId, occasion: ConsentOccasion, givenBy?: Date): Promise<boolean> => {
		const id = ids.next() as ConsentRecordId;
		return consents.withdrawMarketing({ id, userId, at: clock.now(), occasion }, givenBy);
	};

/**
 * Null when the account is gone: it must get no email. The token is a signature of the account, so
 * it stays the same while `AUTH_SECRET` does. Links are checked against the stored hash and not
 * against the key. So a link works for as long as its account exists, also after its key is gone.
 */
const makeIssueUnsubscribeToken =
	(deps: UseCaseDeps) =>
	async ({ id }: Pick<User, 'id'>): Promise<UnsubscribeToken | null> => {
		const token = deps.unsubscribeSigner.sign(`unsubscribe ${id}`) as UnsubscribeToken;
		const hash = deps.secretHasher.ofUnsubscribeToken(token);
		const isStored = await deps.unsubscribeLinks.add(hash, id, deps.clock.now());
		return isStored ? token : null;
	};

const makeReadUnsubscribeLink =
	({ unsubscribeLinks, secretHasher }: UseCaseDeps) =>
	(token: UnsubscribeToken): Promise<UnsubscribeLink | null> =>
		unsubscribeLinks.find(secretHasher.ofUnsubscribeToken(token));

/** Withdraws the consent of the account of a link. Repeating it succeeds and changes nothing. */
const makeWithdrawByLink =
	(deps: UseCaseDeps) =>
	async (
		token: UnsubscribeToken,
		occasion: ConsentOccasion
	): Promise<Result<null, ErrorOf<'unknown_unsubscribe_link'>>> => {
		const link = await makeReadUnsubscribeLink(deps)(token);
		// False if the account was purged since the link was read.
		const withdrawn = link !== null && (await makeWithdrawConsent(deps)(link.userId, occasion));
		return withdrawn ? ok(null) : err({ code: 'unknown_unsubscribe_link' });
	};

export const consent = {
	readConsent: fromStore('consents', 'of'),
	grantConsent: makeGrantConsent,
	withdrawConsent: makeWithdrawConsent,
	issueUnsubscribeToken: makeIssueUnsubscribeToken,
	readUnsubscribeLink: makeReadUnsubscribeLink,
	withdrawByLink: makeWithdrawByLink
};
