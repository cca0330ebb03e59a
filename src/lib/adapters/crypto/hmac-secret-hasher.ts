import { createHash, createHmac, type KeyObject } from 'node:crypto';
import type { DeviceClaim, SecretHash, SecretHasher } from '#lib/domain/secret.ts';
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
	ofDevice: (claim) => hmac(keys.current, deviceText(claim)),
	earlierOfDevice: (claim) => keys.earlier.map((key) => hmac(key, deviceText(claim))),
	ofUnsubscribeToken: (token) => plain(`postern unsubscribe ${token}`),
	ofBrowserKey: (key) => plain(`postern browser ${key}`),
	ofClientKey: (key) => plain(`postern client ${key}`)
});

const deviceText = ({ kind, key }: DeviceClaim): string => `${kind} device ${key}`;

const plain = (text: string): SecretHash =>
	createHash('sha256').update(text).digest('base64url') as SecretHash;
