import { expect, test } from 'vitest';
import { pathWithoutAction } from '#lib/path-without-action.ts';

test.each([
	['/app?a=b%26c', '/app?a=b%26c'],
	['/auth/sign-in?/verify&redirectTo=%2Fapp', '/auth/sign-in?redirectTo=%2Fapp'],
	['//evil.example/x', '/evil.example/x'],
	['/\\/evil.example', '/evil.example']
])('H01 the link that opens %s again is %s, never on another host', (requested, link) => {
	expect(pathWithoutAction(new URL(`https://postern.example${requested}`))).toBe(link);
});
