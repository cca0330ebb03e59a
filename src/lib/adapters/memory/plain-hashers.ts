import { createHash, timingSafeEqual } from 'node:crypto';
import type { CodeHasher, DeviceClaim, SecretHash, SecretHasher } from '#lib/domain/index.ts';

const digest = (parts: readonly (string | null)[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Keyed and salted, as the port requires, but fast. For tests only: it does not protect a stolen
 * table.
 */
export const plainCodeHasher = (...keys: readonly string[]): CodeHasher => {
	const [current = 'a key', ...earlier] = keys;
	let salts = 0;
	return {
		hash: async ({ purpose, email, boundTo, from, newEmail, code }) => {
			salts += 1;
			return `${salts}.${digest([current, `${salts}`, purpose, email, boundTo, from ?? null, newEmail ?? null, code])}`;
		},
		matches: async (hash, { purpose, email, boundTo, from, newEmail, code }) => {
			const [salt, stored] = hash.split('.');
			if (salt === undefined || stored === undefined) return false;
			return [current, ...earlier].some((key) => {
				const expected = Buffer.from(
					digest([key, salt, purpose, email, boundTo, from ?? null, newEmail ?? null, code])
				);
				const found = Buffer.from(stored);
				return found.length === expected.length && timingSafeEqual(found, expected);
			});
		}
	};
};

/** Keyed, as the port requires, with the newest key first. For tests only. */
export const plainSecretHasher = (...keys: readonly string[]): SecretHasher => {
	const [current = 'a key', ...earlier] = keys;
	const ofToken = (key: string, token: string): SecretHash =>
		digest([key, 'token', token]) as SecretHash;
	const ofDevice = (key: string, claim: DeviceClaim): SecretHash =>
		digest([key, 'device', claim.kind, claim.key]) as SecretHash;
	return {
		ofToken: (token) => ofToken(current, token),
		earlierOfToken: (token) => earlier.map((key) => ofToken(key, token)),
		ofRestoreToken: (token) => digest([current, 'restore', token]) as SecretHash,
		earlierOfRestoreToken: (token) =>
			earlier.map((key) => digest([key, 'restore', token]) as SecretHash),
		ofDevice: (claim) => ofDevice(current, claim),
		earlierOfDevice: (claim) => earlier.map((key) => ofDevice(key, claim)),
		ofUnsubscribeToken: (token) => digest(['unsubscribe', token]) as SecretHash,
		ofBrowserKey: (browserKey) => digest(['browser', browserKey]) as SecretHash,
		ofClientKey: (clientKey) => digest(['client', clientKey]) as SecretHash
	};
};
