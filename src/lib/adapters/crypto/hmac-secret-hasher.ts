import { createHmac } from 'node:crypto';
import type { SecretHash, SecretHasher } from '#lib/domain/index.ts';

/** One key for each kind of secret, so that a hash of one kind is never one of the other. */
export interface SecretHasherKeys {
	readonly sessionToken: Uint8Array;
	readonly browserKey: Uint8Array;
}

const hmac = (key: Uint8Array, text: string): SecretHash =>
	createHmac('sha256', key).update(text).digest('base64url') as SecretHash;

/**
 * HMAC-SHA-256: what it hashes has 256 random bits, so nothing is gained by being slow, and a
 * deterministic hash can be looked up through an index without telling how close a guess came.
 */
export const hmacSecretHasher = (keys: SecretHasherKeys): SecretHasher => ({
	ofToken: (token) => hmac(keys.sessionToken, token),
	ofBrowserKey: (key) => hmac(keys.browserKey, key)
});
