import { createHash, createHmac, type KeyObject } from 'node:crypto';
import type { SecretHash, SecretHasher } from '#lib/domain/index.ts';
import type { KeyRing } from './keys.ts';

const hmac = (key: KeyObject, text: string): SecretHash =>
	createHmac('sha256', key).update(text).digest('base64url') as SecretHash;

/**
 * HMAC-SHA-256. The hashed secrets have 256 random bits, so a slow hash adds nothing. A
 * deterministic hash can be looked up through an index, and the lookup does not reveal how close
 * a guess came.
 */
export const hmacSecretHasher = (keys: KeyRing): SecretHasher => ({
	ofToken: (token) => hmac(keys.current, token),
	earlierOfToken: (token) => keys.earlier.map((key) => hmac(key, token)),
	ofRestoreToken: (token) => hmac(keys.current, `restore ${token}`),
	earlierOfRestoreToken: (token) => keys.earlier.map((key) => hmac(key, `restore ${token}`)),
	ofBrowserKey: (key) =>
		createHash('sha256').update(`postern browser ${key}`).digest('base64url') as SecretHash
});
