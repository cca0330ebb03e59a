import { describe, expect, test } from 'vitest';
import { aesSealer } from '#lib/adapters/crypto/aes-sealer.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import type { SeenSession } from '#lib/adapters/web/edge/session/cache-validity.ts';
import { cookieCache } from '#lib/adapters/web/edge/session/cookie-cache.ts';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { SessionToken } from '#lib/domain/secret.ts';

const sealer = aesSealer(deriveKeys('a secret', [], 'cookie-seal'));
const cacheOf = (process: string, sharedClock: boolean) =>
	cookieCache(sealer, { process, sharedClock });
const cache = cacheOf('one', true);
const start = new Date('2026-01-01T00:00:00.123Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);
const token = 'a token' as SessionToken;

const seen: SeenSession = {
	readAt: start,
	user: {
		id: 'user' as UserId,
		email: 'ada@example.com' as Email,
		emailVerified: true,
		name: 'Ada {"at":0}',
		image: null,
		createdAt: after(-1000),
		updatedAt: after(-500)
	},
	session: {
		id: 'session' as SessionId,
		userId: 'user' as UserId,
		expiresAt: after(86_400),
		createdAt: after(-1000),
		updatedAt: after(-1000),
		ipAddress: '127.0.0.1',
		userAgent: 'a browser'
	}
};
const written = (value: SeenSession = seen): string => {
	const sealed = cache.write(token, value);
	if (sealed === null) throw new Error('did not fit');
	return sealed;
};

describe('the session cache in a cookie', () => {
	test('returns what the store returned, to the millisecond', () => {
		expect(cache.read(written(), token, after(299))).toEqual(seen);
	});

	test('E08: is invalid after 300 seconds, and before it was written', () => {
		expect(cache.read(written(), token, after(299.999))).not.toBeNull();
		expect(cache.read(written(), token, after(300))).toBeNull();
		expect(cache.read(written(), token, after(-1))).toBeNull();
	});

	test('E05: is invalid with another session', () => {
		expect(cache.read(written(), 'another token' as SessionToken, start)).toBeNull();
	});

	test('R11: names the process that queried the store, so that only this one uses its monotonic clock', () => {
		const own = { ...seen, monotonicMs: 12_345.678 };
		const sealed = written(own);
		expect(cache.read(sealed, token, after(1))).toEqual(own);
		expect(cacheOf('two', true).read(sealed, token, after(1))).toEqual(seen);
	});

	test('R11: is invalid in another process without a common clock', () => {
		const sealed = written({ ...seen, monotonicMs: 1 });
		expect(cacheOf('one', false).read(sealed, token, after(1))).not.toBeNull();
		expect(cacheOf('two', false).read(sealed, token, after(1))).toBeNull();
		// Without the monotonic time it is unknown which process read it.
		expect(cacheOf('one', false).read(written(), token, after(1))).toBeNull();
	});

	test('never outlives the session itself', () => {
		const ending = { ...seen, session: { ...seen.session, expiresAt: after(10) } };
		expect(cache.read(written(ending), token, after(9))).not.toBeNull();
		expect(cache.read(written(ending), token, after(10))).toBeNull();
	});

	test('D05: data that does not fit into a cookie is left out; the longest legal address fits', () => {
		const email =
			`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com` as Email;
		const name = 'ü'.repeat(200);
		expect(written({ ...seen, user: { ...seen.user, email, name } }).length).toBeLessThan(4000);
		const image = `https://example.com/${'x'.repeat(4000)}`;
		expect(cache.write(token, { ...seen, user: { ...seen.user, image } })).toBeNull();
	});

	test.each(['null', '[]', '{}', '{"at":0}', '"x"'])('sealed %s is not valid', (text) => {
		expect(cache.read(sealer.seal(text, token), token, start)).toBeNull();
	});
});
