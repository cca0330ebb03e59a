import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
import type { LinkToken } from '../secret.ts';
import type { Challenge } from '../sign-in/challenge.ts';
import type { EmailChanges } from './email-changes.ts';
import type { Signer } from '../signer.ts';
import type { User } from '../account/user.ts';

/** What a link is valid for: exactly this email change of this account. */
export interface LinkedChange {
	readonly token: LinkToken;
	readonly userId: UserId;
	readonly from: Email;
	readonly to: Email;
}

/**
 * The text to sign. The signature is stored instead of the token. No two changes have the same
 * text.
 */
export const changeLinkText = ({ token, userId, from, to }: LinkedChange): string =>
	JSON.stringify([token, userId, from, to]);

/**
 * The email change of a link, looked up by the account that opens it. A link is worthless to any
 * other account. Null when the change has expired, or was replaced, used or cancelled. Null, too,
 * when the requesting session has ended, when the link belongs to another account, and when the
 * account's address has changed since.
 */
export const linkedChange = async (
	deps: { readonly emailChanges: EmailChanges; readonly linkSigner: Signer },
	user: Pick<User, 'id' | 'email'>,
	token: LinkToken,
	now: Date
): Promise<Challenge | null> => {
	const pending = await deps.emailChanges.pendingOf(user.id, ['email_change_link'], now);
	if (pending === null) return null;
	const text = changeLinkText({ token, userId: user.id, from: user.email, to: pending.email });
	return deps.linkSigner.verify(pending.codeHash, text) ? pending : null;
};
