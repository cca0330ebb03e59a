import type { Brand } from './ids.ts';
import type { Random } from './ports.ts';

/** Text in the shape of a code. It is not necessarily the right code. */
export type Code = Brand<string, 'Code'>;

/** The credential of a session. It is shown once and stored only as a keyed hash. */
export type SessionToken = Brand<string, 'SessionToken'>;
/** Binds codes and forms to the browser that requested them. It lives in an HTTP-only cookie. */
export type CodeKey = Brand<string, 'CodeKey'>;
/** The credential of a restore grant, in an HTTP-only cookie. */
export type RestoreToken = Brand<string, 'RestoreToken'>;
/** The token in an unsubscribe link. It can withdraw one consent and nothing else. */
export type UnsubscribeToken = Brand<string, 'UnsubscribeToken'>;
/** A hash of a secret. Hashes of credentials are keyed, so a stolen table alone opens nothing. */
export type SecretHash = Brand<string, 'SecretHash'>;

/** In characters of base64url, which hold 256 random bits. ASVS 5.0 7.2.3 asks for at least 128. */
export const SECRET_LENGTH = 43;
/** The last character has two unused bits, which are zero. */
export const SECRET = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Each character takes its bits from a byte of its own. */
export const newSecret = (random: Random): string => {
	const bytes = random.bytes(SECRET_LENGTH);
	const bits = (byte: number, at: number): number => byte & (at < SECRET_LENGTH - 1 ? 63 : 60);
	return Array.from(bytes, (byte, at) => BASE64URL[bits(byte, at)]).join('');
};

export const newSessionToken = (random: Random): SessionToken => newSecret(random) as SessionToken;
export const newCodeKey = (random: Random): CodeKey => newSecret(random) as CodeKey;
export const newRestoreToken = (random: Random): RestoreToken => newSecret(random) as RestoreToken;

/** Null for text that cannot be an issued token, so that it never reaches a store. */
export const tokenParser =
	<Token extends string>(shape = SECRET) =>
	(value: string): Token | null =>
		shape.test(value) ? (value as Token) : null;

export const parseSessionToken = tokenParser<SessionToken>();
export const parseCodeKey = tokenParser<CodeKey>();
export const parseRestoreToken = tokenParser<RestoreToken>();
export const parseUnsubscribeToken = tokenParser<UnsubscribeToken>();

/**
 * By this key the server recognises a browser in which an account signed in before. It lives in an
 * HTTP-only cookie, and gives access to nothing.
 */
export type DeviceKey = Brand<string, 'DeviceKey'>;

/** By this key the server recognises a program, which makes it once and sends it in a header. */
export type ProgramKey = Brand<string, 'ProgramKey'>;

/** The key that a client presents. A key of one kind is never valid as the other. */
export type PresentedKey =
	| { readonly kind: 'browser'; readonly key: DeviceKey }
	| { readonly kind: 'program'; readonly key: ProgramKey };

export const newDeviceKey = (random: Random): DeviceKey => newSecret(random) as DeviceKey;

export const parseDeviceKey = tokenParser<DeviceKey>();

/** 22 characters of base64url hold at least 128 bits, and 86 hold 512. */
export const PROGRAM_KEY = /^[A-Za-z0-9_-]{22,86}$/;

export const parseProgramKey = tokenParser<ProgramKey>(PROGRAM_KEY);

/**
 * The hash of a secret under the current key, then those under keys that are being replaced, newest
 * first. There are others only during a rotation: what is older is stored under an earlier key.
 */
export type SecretHashes = readonly [SecretHash, ...SecretHash[]];

export const firstFound = async <Found>(
	hashes: readonly SecretHash[],
	find: (hash: SecretHash) => Promise<Found | null>
): Promise<Found | null> => {
	for (const hash of hashes) {
		const found = await find(hash);
		if (found !== null) return found;
	}
	return null;
};

/** Hashes secrets that are already long and random. So the hash can be fast and deterministic. */
export interface SecretHasher {
	/**
	 * Keyed: access to the stored hashes is not enough to create a valid token. A token and a
	 * code key of the same text have different hashes.
	 */
	ofToken(token: SessionToken): SecretHashes;
	/**
	 * Not keyed: a code key is worthless without the code that is bound to it, and the hash of
	 * that code is keyed. So a pending code survives a key rotation.
	 */
	ofCodeKey(key: CodeKey): SecretHash;
	/** Not keyed, like `ofCodeKey`: for a code that a program requested. */
	ofProgramKey(key: ProgramKey): SecretHash;
	/**
	 * Keyed. A device key and a program key of the same text have different hashes, which also
	 * differ from the hashes of other secrets.
	 */
	ofDevice(presentedKey: PresentedKey): SecretHashes;
	/** Keyed. Different from the hashes of other secrets of the same text. */
	ofRestoreToken(token: RestoreToken): SecretHashes;
	/**
	 * Not keyed: a link in an email must work after its key is gone. Different from the hashes of
	 * other secrets of the same text.
	 */
	ofUnsubscribeToken(token: UnsubscribeToken): SecretHash;
}
