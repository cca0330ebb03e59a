import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
import type { LinkToken } from '../secret.ts';

/** What a link for a change of address is good for: this change of this account and nothing else. */
export interface LinkedChange {
	readonly token: LinkToken;
	readonly userId: UserId;
	readonly from: Email;
	readonly to: Email;
}

/** The text whose signature is stored in place of the token; no two changes have the same one. */
export const changeLinkText = ({ token, userId, from, to }: LinkedChange): string =>
	JSON.stringify([token, userId, from, to]);
