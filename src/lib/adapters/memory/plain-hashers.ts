import { createHash, timingSafeEqual } from 'node:crypto';
import type { CodeHasher, SecretHash, SecretHasher } from '#lib/domain/index.ts';

const digest = (parts: readonly (string | null)[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Keyed and salted as its port says, but fast, so worthless against a thief. For tests only. */
export const plainCodeHasher = (key = 'a key'): CodeHasher => {
	let salts = 0;
	return {
		hash: async ({ purpose, email, browser, code }) => {
			salts += 1;
			return `${salts}.${digest([key, `${salts}`, purpose, email, browser, code])}`;
		},
		matches: async (hash, { purpose, email, browser, code }) => {
			const [salt, stored] = hash.split('.');
			if (salt === undefined || stored === undefined) return false;
			const expected = Buffer.from(digest([key, salt, purpose, email, browser, code]));
			const found = Buffer.from(stored);
			return found.length === expected.length && timingSafeEqual(found, expected);
		}
	};
};

/** One key for both kinds; the kind is hashed along instead. For tests only. */
export const plainSecretHasher = (key = 'a key'): SecretHasher => ({
	ofToken: (token) => digest([key, 'token', token]) as SecretHash,
	ofBrowserKey: (browserKey) => digest([key, 'browser', browserKey]) as SecretHash
});
