import type { Challenge } from '../sign-in/challenge.ts';
import { changeLinkText } from './change-link.ts';
import type { EmailChanges } from './email-changes.ts';
import type { Signer } from '../ports/signer.ts';
import type { LinkToken } from '../secret.ts';
import type { User } from '../account/user.ts';

/**
 * The change a link stands for, found by the account that opens it: for any other account a link
 * is nothing. Null when it expired, was replaced, used or cancelled, when the session that requested
 * it has ended, when it is another account's, and when the account's address has changed since.
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
