import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The purpose of a derived key. A value made for one purpose is invalid for another. */
export type KeyPurpose =
	| 'code'
	| 'token-hash'
	| 'cookie-seal'
	| 'form-signature'
	| 'change-link'
	| 'unsubscribe-link'
	| 'new-device-link'
	| 'undo-link'
	| 'network'
	| 'outbox'
	| 'message-id'
	| 'proof'
	| 'proof-puzzle'
	| 'proof-solution'
	| 'oidc-hash'
	| 'oidc-seal';

/**
 * The first, current key makes new values. Earlier keys only verify or open existing ones. The keys
 * are Node `KeyObject`s, because Node would import raw bytes again on every use, at ten times the
 * cost of the hash.
 */
export type KeyRing = readonly [current: KeyObject, ...earlier: KeyObject[]];

const KEY_BYTES = 32;
/** Fixed and public: HKDF needs no secret salt when its input is a high-entropy secret. */
const SALT = 'postern';

/**
 * The keys of one purpose, derived with HKDF-SHA-256 from AUTH_SECRET and, during a rotation,
 * from its predecessors. The purpose is the label, so the keys are independent: one key reveals
 * nothing about the secret or about other keys.
 */
export const deriveKeys = (
	secret: string,
	earlierSecrets: readonly string[],
	purpose: KeyPurpose
): KeyRing => [
	deriveKey(secret, purpose),
	...earlierSecrets.map((earlier) => deriveKey(earlier, purpose))
];

const deriveKey = (secret: string, purpose: KeyPurpose): KeyObject =>
	createSecretKey(
		new Uint8Array(hkdfSync('sha256', secret, SALT, `postern/v1/${purpose}`, KEY_BYTES))
	);
