import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutOwnCookies } from '#lib/adapters/web/forward/answer-proxy.ts';
import { COOKIE_NAMES, nameInHeader } from '#lib/adapters/web/http/own-cookies.ts';

describe('the cookies for the application', () => {
	const ours = COOKIE_NAMES.flatMap((name) => [true, false].map((s) => nameInHeader(name, s)));

	test.each([
		['a=1; __Host-postern_session=T; b=2', 'a=1; b=2'],
		['postern_session=T; postern_session=U', ''],
		['a=1;__Host-postern_session=T;b=2', 'a=1;b=2'],
		['a=1;\t __Host-postern_session=T ;; b=2', 'a=1;; b=2'],
		['a="x; __Host-postern_session=T; y"', 'a="x; y"'],
		['"__Host-postern_session"=T', ''],
		['=__Host-postern_session=T', ''],
		['\u00a0__Host-postern_session=T; a=1', 'a=1'],
		['__HOST-POSTERN_SESSION=T; a=1', 'a=1'],
		['__Host-postern_cache.0=x; postern_cache.1=y; a=1', 'a=1'],
		['__Secure-postern_oidc=T; a=1', 'a=1'],
		[
			'my_postern_session=1; postern=2; x=postern_session',
			'my_postern_session=1; postern=2; x=postern_session'
		],
		['a=b=c; d; e="f,g"', 'a=b=c; d; e="f,g"']
	])('%s becomes %s', (sent, kept) => {
		expect(withoutOwnCookies(sent)).toBe(kept);
	});

	test('none of ours stays, whatever is around it, and every other one does', () => {
		const text = fc.stringMatching(/^[ -:<-~]{0,12}$/);
		const other = fc
			.tuple(fc.stringMatching(/^[a-oq-z]{1,8}$/), text)
			.map((pair) => pair.join('='));
		const own = fc.tuple(fc.constantFrom(...ours), text).map(([name]) => `${name}=TOKEN`);
		fc.assert(
			fc.property(fc.array(other), fc.array(own), fc.nat(), (others, owns, seed) => {
				const mixed = [...others];
				for (const [at, one] of owns.entries())
					mixed.splice((seed * (at + 1)) % (mixed.length + 1), 0, one);
				const kept = withoutOwnCookies(mixed.join('; '));
				expect(kept).not.toContain('TOKEN');
				expect(kept).toBe(others.join('; ').trim());
			})
		);
	});
});
