import { createHash, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Network } from '#lib/domain/client.ts';
import type { Signer } from '#lib/domain/ports.ts';
import type { SecretHash, SecretHasher, SecretHashes } from '#lib/domain/secret.ts';
import type { KeyRing } from './keys.ts';

/** HMAC-SHA-256. During a rotation, signatures of earlier keys stay valid. */
export const hmacSigner = (keys: KeyRing): Signer => {
	return {
		sign: (text) => hmac(keys[0], text).toString('base64url'),
		verify: (signature, text) => {
			const given = Buffer.from(signature, 'base64url');
			return keys.some((key) => {
				const expected = hmac(key, text);
				return given.length === expected.length && timingSafeEqual(given, expected);
			});
		}
	};
};

const hmac = (key: KeyObject, text: string): Buffer =>
	createHmac('sha256', key).update(text).digest();

export const hmacHashes = ([current, ...earlier]: KeyRing, text: string): SecretHashes => {
	const hash = (key: KeyObject) => hmac(key, text).toString('base64url') as SecretHash;
	return [hash(current), ...earlier.map(hash)];
};

/**
 * HMAC-SHA-256, or plain SHA-256 for what a change of the secret must not end. The hashed secrets
 * have at least 128 random bits, so a slow hash adds nothing. A deterministic hash can be looked up
 * through an index, and the lookup does not reveal how close an attempt came.
 */
export const hmacSecretHasher = (keys: KeyRing): SecretHasher => ({
	ofToken: (token) => hmacHashes(keys, token),
	ofRestoreToken: (token) => hmacHashes(keys, `restore ${token}`),
	ofDevice: ({ kind, key }) => hmacHashes(keys, `${kind} device ${key}`),
	ofUnsubscribeToken: (token) => plain(`postern unsubscribe ${token}`),
	ofCodeKey: (key) => plain(`postern browser ${key}`),
	ofProgramKey: (key) => plain(`postern client ${key}`)
});

const plain = (text: string): SecretHash =>
	createHash('sha256').update(text).digest('base64url') as SecretHash;

/** 96 bits: two networks never share a count by accident, and each row stays short. */
const NETWORK_LENGTH = 16;

/**
 * HMAC-SHA-256, shortened. IPv4 has only 16 million networks, so without a key each hash could be
 * found by trying them. During a rotation of the secret only the current key is used: a network then
 * counts as new, and its counts last an hour anyway.
 */
export const hmacNetworkHasher =
	(keys: KeyRing): ((network: string) => Network) =>
	(network) =>
		hmac(keys[0], network).toString('base64url').slice(0, NETWORK_LENGTH) as Network;
