import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** What a derived key is for. A value made under one purpose means nothing under another. */
export type KeyPurpose = 'code' | 'session-token' | 'session-cache' | 'form-token' | 'change-link';

/**
 * New values are made under the current key; earlier ones are good only for what exists already. As
 * objects of Node's, since it looks at plain bytes anew each time they are used: ten times the hash.
 */
export interface KeyRing {
	readonly current: KeyObject;
	readonly earlier: readonly KeyObject[];
}

const KEY_BYTES = 32;
/** Fixed and public: HKDF needs no secret salt where its input is a high-entropy secret. */
const SALT = 'postern';

/**
 * The keys of one purpose, derived from AUTH_SECRET and, during a rotation, its predecessors with
 * HKDF-SHA-256. The purpose is the label, so the keys are independent: knowing one tells nothing
 * about the secret or about the others.
 */
export const deriveKeys = (
	secret: string,
	earlierSecrets: readonly string[],
	purpose: KeyPurpose
): KeyRing => ({
	current: deriveKey(secret, purpose),
	earlier: earlierSecrets.map((earlier) => deriveKey(earlier, purpose))
});

const deriveKey = (secret: string, purpose: KeyPurpose): KeyObject =>
	createSecretKey(
		new Uint8Array(hkdfSync('sha256', secret, SALT, `postern/v1/${purpose}`, KEY_BYTES))
	);
