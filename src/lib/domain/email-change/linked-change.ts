import type { Challenge } from '../sign-in/challenge.ts';
import { changeLinkText } from './change-link.ts';
import type { EmailChanges } from './email-changes.ts';
import type { Signer } from '../signer.ts';
import type { LinkToken } from '../secret.ts';
import type { User } from '../account/user.ts';

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
