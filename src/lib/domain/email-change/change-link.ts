import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
import type { LinkToken } from '../secret.ts';

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
