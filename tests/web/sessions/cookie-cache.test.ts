import { describe, expect, test } from 'vitest';
import { aesSealer } from '#lib/adapters/crypto/aes-sealer.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import type { SeenSession } from '#lib/adapters/web/edge/session/cache-validity.ts';
import { cookieCache } from '#lib/adapters/web/edge/session/cookie-cache.ts';
import type { Email } from '#lib/domain/email.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import { aSession, aUser } from '../../support/domain/builders.ts';

const sealer = aesSealer(deriveKeys('a secret', [], 'cookie-seal'));
const cache = cookieCache(sealer, 'one');
const token = 'a token' as SessionToken;

const seen: SeenSession = {
	readAt: 12_345.678,
	user: aUser({ name: 'Ada {"createdAt":0}', updatedAt: new Date('2026-01-01T00:00:00.123Z') }),
	session: aSession()
};
const written = (value: SeenSession = seen): string => {
	const sealed = cache.write(token, value);
	if (sealed === null) throw new Error('did not fit');
	return sealed;
};

describe('the session cache in a cookie', () => {
	test('returns what the store returned, to the millisecond', () => {
		expect(cache.read(written(), token)).toEqual(seen);
	});

	test('E05: is invalid with another session', () => {
		expect(cache.read(written(), 'another token' as SessionToken)).toBeNull();
	});

	test('R11: is invalid in another process, which has another monotonic clock', () => {
		expect(cookieCache(sealer, 'two').read(written(), token)).toBeNull();
	});

	test('D05: data that does not fit into a cookie is left out; the longest legal address fits', () => {
		const email =
			`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com` as Email;
		const name = 'ü'.repeat(200);
		expect(written({ ...seen, user: { ...seen.user, email, name } }).length).toBeLessThan(4000);
		const withImage = (length: number): string | null =>
			cache.write(token, { ...seen, user: { ...seen.user, image: 'x'.repeat(length) } });
		expect(withImage(4000)).toBeNull();
		let length = 0;
		while (withImage(length + 1) !== null) length += 1;
		expect(withImage(length)).toHaveLength(4000);
	});
});
