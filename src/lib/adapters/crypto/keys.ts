import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

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
 * nothing about the secret or about other keys, and a value made for one purpose is invalid for
 * another.
 */
export const deriveKeys = (
	secret: string,
	earlierSecrets: readonly string[],
	purpose: string
): KeyRing => {
	const derive = (from: string): KeyObject =>
		createSecretKey(
			new Uint8Array(hkdfSync('sha256', from, SALT, `postern/v1/${purpose}`, KEY_BYTES))
		);
	return [derive(secret), ...earlierSecrets.map(derive)];
};
