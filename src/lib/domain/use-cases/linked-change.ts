import type { Challenge } from '../challenge.ts';
import { changeLinkText } from '../change-link.ts';
import type { Challenges } from '../ports/challenges.ts';
import type { Signer } from '../ports/signer.ts';
import type { LinkToken } from '../secret.ts';
import type { User } from '../user.ts';

/**
 * The change a link stands for, found by the account that opens it: in anybody else's hands a link
 * is nothing. Null when it expired, was replaced, used or cancelled, when it is another account's,
 * and when the account's address has changed since.
 */
export const linkedChange = async (
	deps: { readonly challenges: Challenges; readonly linkSigner: Signer },
	user: Pick<User, 'id' | 'email'>,
	token: LinkToken,
	now: Date
): Promise<Challenge | null> => {
	const waiting = await deps.challenges.latestOf(user.id, 'email_change_link');
	if (waiting === null || waiting.expiresAt <= now) return null;
	const text = changeLinkText({ token, userId: user.id, from: user.email, to: waiting.email });
	return deps.linkSigner.verify(waiting.codeHash, text) ? waiting : null;
};
