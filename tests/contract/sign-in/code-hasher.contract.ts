import { expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import type { Code, SecretHash } from '#lib/domain/secret.ts';
import type { BoundCode, CodeHasher } from '#lib/domain/sign-in/ports.ts';
import { contract } from '../stores/suite.ts';

const bound: BoundCode = {
	purpose: 'sign_in',
	email: 'ada@example.com' as Email,
	boundTo: 'a boundTo' as SecretHash,
	code: '012345' as Code
};

/** `open` gives a hasher for keys, the current one first: the same one for the same keys. */
export const codeHasherContract = contract(
	'a code hasher',
	(open: (...keys: readonly string[]) => CodeHasher) => {
		const hasher = open('one key');

		it('matches a hash with exactly its own input', async () => {
			expect(await hasher.matches(await hasher.hash(bound), { ...bound })).toBe(true);
			const alone = { ...bound, boundTo: null };
			expect(await hasher.matches(await hasher.hash(alone), alone)).toBe(true);
		});

		it('matches after a restart: another hasher with the same key knows the hash', async () => {
			expect(await open('one key').matches(await hasher.hash(bound), bound)).toBe(true);
		});

		it('makes two different hashes of the same code', async () => {
			expect(await hasher.hash(bound)).not.toBe(await hasher.hash(bound));
		});

		it('N02: matches under an earlier key as long as that is configured, and hashes under the current one', async () => {
			const old = await hasher.hash(bound);
			const rotated = open('new key', 'one key');
			expect(await rotated.matches(old, bound)).toBe(true);
			expect(await rotated.matches(old, { ...bound, boundTo: null })).toBe(false);
			expect(await hasher.matches(await rotated.hash(bound), bound)).toBe(false);
			expect(await open('new key').matches(await rotated.hash(bound), bound)).toBe(true);
			expect(await open('new key').matches(old, bound)).toBe(false);
		});

		it('is keyed: hashes under another key do not match', async () => {
			expect(await hasher.matches(await open('another key').hash(bound), bound)).toBe(false);
		});

		it.each<[string, Partial<Record<keyof BoundCode, string | null>>]>([
			['code', { code: '012346' }],
			['code without its leading zero', { code: '12345' }],
			['code, one digit longer', { code: '0123450' }],
			['address', { email: 'bob@example.com' }],
			['boundTo', { boundTo: 'another boundTo' }],
			['boundTo, which is missing', { boundTo: null }],
			['purpose (A10)', { purpose: 'change_email' }]
		])('does not match with another %s', async (_what, change) => {
			const other = { ...bound, ...change } as BoundCode;
			expect(await hasher.matches(await hasher.hash(bound), other)).toBe(false);
		});

		it('a code for one new address matches no other, and none without a new address', async () => {
			const [fresh, other] = ['new@example.com', 'other@example.com'] as Email[];
			const hash = await hasher.hash({ ...bound, newEmail: fresh as Email });
			expect(await hasher.matches(hash, { ...bound, newEmail: fresh as Email })).toBe(true);
			expect(await hasher.matches(hash, { ...bound, newEmail: other as Email })).toBe(false);
			expect(await hasher.matches(hash, { ...bound, from: fresh as Email })).toBe(false);
			expect(await hasher.matches(hash, bound)).toBe(false);
		});

		it('does not confuse a missing boundTo with a boundTo of that name, nor shift text between fields', async () => {
			const pairs: [object, object][] = [
				[{ boundTo: null }, { boundTo: 'null' }],
				[{ boundTo: null }, { boundTo: '' }],
				[
					{ boundTo: 'a', code: 'bc' },
					{ boundTo: 'ab', code: 'c' }
				],
				[
					{ boundTo: 'a"', code: 'b' },
					{ boundTo: 'a', code: '"b' }
				],
				[
					{ boundTo: 'a","b', code: 'c' },
					{ boundTo: 'a', code: 'b","c' }
				]
			];
			for (const [one, other] of pairs) {
				const hash = await hasher.hash({ ...bound, ...one });
				expect(await hasher.matches(hash, { ...bound, ...other })).toBe(false);
			}
		});

		it('the hash contains neither the code nor the address', async () => {
			const hash = await hasher.hash({ ...bound, code: '735194' as Code });
			expect(hash).not.toContain('735194');
			expect(hash).not.toContain(bound.email);
		});

		it.each([
			'',
			' ',
			'.',
			'1.',
			'.1',
			'null',
			'012345',
			'$argon2id$',
			'$argon2id$v=19$m=1024,t=1,p=1$$',
			'$argon2id$v=19$m=1024,t=1,p=1$c2FsdHNhbHQ$',
			'$argon2id$v=19$m=0,t=0,p=0$c2FsdHNhbHQ$aGFzaGhhc2g',
			'$argon2id$v=19$m=1024,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA',
			'$2b$10$abcdefghijklmnopqrstuv',
			'\0',
			'\ud800',
			'x'.repeat(10_000)
		])(
			'A14: a malformed or empty hash matches nothing and throws nothing: %j (CVE-2019-16109)',
			async (hash) => {
				expect(await hasher.matches(hash, bound)).toBe(false);
				expect(await hasher.matches(hash, { ...bound, code: '' as Code })).toBe(false);
			}
		);

		it('matches nothing with a truncated hash', async () => {
			const hash = await hasher.hash(bound);
			expect(await hasher.matches(hash.slice(0, -4), bound)).toBe(false);
		});
	}
);
