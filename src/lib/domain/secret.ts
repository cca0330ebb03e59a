import type { Brand } from './brand.ts';
import type { Random } from './random.ts';

/** The credential of a session. It is shown once and stored only as a keyed hash. */
export type SessionToken = Brand<string, 'SessionToken'>;
/** Binds a code to the browser that requested it. It lives in an HTTP-only cookie. */
export type BrowserKey = Brand<string, 'BrowserKey'>;
/**
 * The token in a link that confirms an email change. It is sent once and stored only as a keyed
 * signature.
 */
export type LinkToken = Brand<string, 'LinkToken'>;
/** The credential of a restore grant, in an HTTP-only cookie. */
export type RestoreToken = Brand<string, 'RestoreToken'>;
/** The token in an unsubscribe link. It can withdraw one consent and nothing else. */
export type UnsubscribeToken = Brand<string, 'UnsubscribeToken'>;
/** A hash of a secret. Hashes of tokens are keyed, so a stolen table alone opens nothing. */
export type SecretHash = Brand<string, 'SecretHash'>;

/** 256 random bits. ASVS 5.0 7.2.3 asks for at least 128. */
const SECRET_BYTES = 32;
/** The last character of 32 encoded bytes has two unused bits, which are zero. */
export const SECRET = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
/** The secret of a link, and a signature after it. */
const LINK_TOKEN = new RegExp(`${SECRET.source.slice(0, -1)}[A-Za-z0-9_-]{43}$`);
const SECRET_LENGTH = 43;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const base64url = (bytes: Uint8Array): string => {
	let text = '';
	let bits = 0;
	let held = 0;
	for (const byte of bytes) {
		held = (held << 8) | byte;
		bits += 8;
		while (bits >= 6) {
			bits -= 6;
			text += BASE64URL[(held >> bits) & 63];
		}
		held &= (1 << bits) - 1;
	}
	return bits > 0 ? text + BASE64URL[(held << (6 - bits)) & 63] : text;
};

export const newSecret = (random: Random): string => base64url(random.bytes(SECRET_BYTES));

export const newSessionToken = (random: Random): SessionToken => newSecret(random) as SessionToken;
export const newBrowserKey = (random: Random): BrowserKey => newSecret(random) as BrowserKey;
/** `sign` signs the secret together with what the link is for. */
export const newLinkToken = (random: Random, sign: (secret: string) => string): LinkToken => {
	const secret = newSecret(random);
	return (secret + sign(secret)) as LinkToken;
};
/** The two parts of a link's token. */
export const linkTokenParts = (token: LinkToken): readonly [secret: string, signature: string] => [
	token.slice(0, SECRET_LENGTH),
	token.slice(SECRET_LENGTH)
];
export const newRestoreToken = (random: Random): RestoreToken => newSecret(random) as RestoreToken;

/** Null for text that cannot be an issued token, so that it never reaches a store. */
export const parseSessionToken = (value: string): SessionToken | null =>
	SECRET.test(value) ? (value as SessionToken) : null;
export const parseBrowserKey = (value: string): BrowserKey | null =>
	SECRET.test(value) ? (value as BrowserKey) : null;
export const parseLinkToken = (value: string): LinkToken | null =>
	LINK_TOKEN.test(value) ? (value as LinkToken) : null;
export const parseRestoreToken = (value: string): RestoreToken | null =>
	SECRET.test(value) ? (value as RestoreToken) : null;
export const parseUnsubscribeToken = (value: string): UnsubscribeToken | null =>
	SECRET.test(value) ? (value as UnsubscribeToken) : null;
