import { describe, expect, test } from 'vitest';
import { redirectTarget, refuseRedirects } from '#lib/adapters/web/http/redirects.ts';

const ORIGIN = 'https://app.example.com';
const trusted = new Set([ORIGIN, 'https://web.example.org', 'capacitor://localhost']);

const judge = async (values: Record<string, unknown>): Promise<[number, string] | null> => {
	const refused = refuseRedirects(values, ORIGIN, trusted);
	return refused && [refused.status, ((await refused.json()) as { code: string }).code];
};

describe('a redirect target in a call', () => {
	test.each([
		'/app',
		'/app?x=//evil',
		`${ORIGIN}/app`,
		'https://web.example.org/done?x=1',
		'capacitor://localhost/done'
	])('%s is accepted', async (value) => expect(await judge({ callbackURL: value })).toBeNull());

	test.each([
		'//evil.com',
		'/\\evil.com',
		'https://evil.com',
		'https://web.example.org.evil.com',
		'https://web.example.org@evil.com',
		'https://user@web.example.org/',
		'https://:password@web.example.org/',
		'https://web.example.org:99999/',
		'https:\\\\web.example.org',
		'http://web.example.org/',
		'javascript:alert(1)',
		'evil.com',
		''
	])('H01: %s is refused', async (value) =>
		expect(await judge({ callbackURL: value })).toEqual([403, 'INVALID_CALLBACK_URL'])
	);

	test.each([
		['redirectTo', 'INVALID_REDIRECT_URL'],
		['errorCallbackURL', 'INVALID_ERROR_CALLBACK_URL'],
		['newUserCallbackURL', 'INVALID_NEW_USER_CALLBACK_URL']
	])('%s has its own error code', async (field, code) =>
		expect(await judge({ [field]: '//evil.com' })).toEqual([403, code])
	);

	test.each([5, null, ['/app'], { a: 1 }])('H04: %j is not a URL', async (value) =>
		expect(await judge({ callbackURL: value })).toEqual([400, 'VALIDATION_ERROR'])
	);

	test('O02: only own properties of the body are read', async () => {
		expect(await judge({})).toBeNull();
		expect(await judge(JSON.parse('{"__proto__":{"callbackURL":"//evil.com"}}'))).toBeNull();
	});
});

describe('the redirect of a browser', () => {
	test.each([
		['/app?x=//evil', '/app?x=//evil'],
		['/a/../b', '/b'],
		[`${ORIGIN}/app`, `${ORIGIN}/app`],
		['https://web.example.org/done?x=1#y', 'https://web.example.org/done?x=1#y'],
		['capacitor://localhost/done', 'capacitor://localhost/done']
	])('%s is followed', (value, target) =>
		expect(redirectTarget(value, ORIGIN, trusted)).toEqual(target)
	);

	test.each(['', 'app', '//evil.com', '/%5cevil.com', 'https://evil.com', 'javascript:alert(1)'])(
		'"%s" is ignored',
		(value) => expect(redirectTarget(value, ORIGIN, trusted)).toBeNull()
	);
});
