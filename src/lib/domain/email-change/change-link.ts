import type { UseCaseDeps } from '../deps.ts';
import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
import type { Signer } from '../ports.ts';
import { newSecret, SECRET_LENGTH } from '../secret.ts';
import type { ChangeLinkToken } from '../signed-links.ts';
import type { Challenge } from '../sign-in/ports.ts';
import type { User } from '../user.ts';

/** What a link is valid for: exactly this email change of this account. */
export interface LinkedChange {
	readonly token: ChangeLinkToken;
	readonly userId: UserId;
	readonly from: Email;
	readonly to: Email;
}

/** The signature is stored instead of the token. No two changes have the same text. */
export const changeLinkText = ({ token, userId, from, to }: LinkedChange): string =>
	JSON.stringify([token, userId, from, to]);

/**
 * Creates the token of a link. Its signature lets the page say "already changed", to that account
 * only, after the challenge is gone.
 */
export const newChangeLink = (
	{ random, changeLinkSigner }: UseCaseDeps,
	change: Pick<LinkedChange, 'userId' | 'to'>
): ChangeLinkToken => {
	const secret = newSecret(random);
	return (secret + changeLinkSigner.sign(appliedText(secret, change))) as ChangeLinkToken;
};

/** Whether a link was sent to move this account to the email address that it has now. */
export const isAppliedLink = (
	changeLinkSigner: Signer,
	user: Pick<User, 'id' | 'email'>,
	token: ChangeLinkToken
): boolean => {
	const secret = token.slice(0, SECRET_LENGTH);
	const applied = appliedText(secret, { userId: user.id, to: user.email });
	return changeLinkSigner.verify(token.slice(SECRET_LENGTH), applied);
};

/** Three items; `changeLinkText` has four, so no text is both. */
const appliedText = (secret: string, { userId, to }: Pick<LinkedChange, 'userId' | 'to'>): string =>
	JSON.stringify([secret, userId, to]);

/**
 * Null if there is none, also when another account opens the link, when the requesting session has
 * ended, or when the account's email address has changed since.
 */
export const pendingChangeOfLink = async (
	deps: UseCaseDeps,
	user: Pick<User, 'id' | 'email'>,
	token: ChangeLinkToken,
	now: Date
): Promise<Challenge | null> => {
	const pending = await deps.emailChanges.pendingOf(user.id, now, 'email_change_link');
	if (pending === null) return null;
	const text = changeLinkText({ token, userId: user.id, from: user.email, to: pending.email });
	return deps.changeLinkSigner.verify(pending.secretHash, text) ? pending : null;
};
