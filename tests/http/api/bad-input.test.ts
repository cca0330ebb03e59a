import { expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import { bearer, call, freshCode, newAddress, SEND, VERIFY } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>{{7*7}}${7*7}';

onOneServer((fixture) => {
	const form = (path: string, fields: Readonly<Record<string, string>>) =>
		openBrowser(fixture.server).post(path, fields);

	test('O02 names of Object.prototype as keys or ids are ignored or not found (GHSA-737v-mqg7-c878, sveltejs/kit#16072, sveltejs/kit#16612, sveltejs/kit#16218)', async () => {
		const email = newAddress();
		const post = (body: string) =>
			call(fixture.server, SEND, {
				method: 'POST',
				body,
				headers: { 'content-type': 'application/json' }
			});
		const polluted = '"__proto__":{"email":"x@evil.com"},"constructor":{"prototype":{"x":1}}';
		expect((await post(`{${polluted},"email":"${email}"}`)).status).toBe(200);
		expect((await post(`{${polluted}}`)).status).toBe(400);
		for (const name of ['toString', '__proto__', 'constructor', 'hasOwnProperty']) {
			expect((await form(`/auth/sign-in?/${name}`, { [name]: 'x' })).status).toBe(404);
			expect((await call(fixture.server, `/api/auth/${name}`)).status).toBe(404);
			expect((await call(fixture.server, `/auth/${name}`)).status).toBe(404);
		}
		const fields = { '__proto__[x]': '1', __superform_id: '__proto__' };
		expect((await form('/auth/sign-in?/request', fields)).status).toBe(400);
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo('x@evil.com')).toBe(0);
	});

	test('L03 hostile paths, parameters, names and messages are text on every page, error pages included (CVE-2025-32388, CVE-2024-53261, CVE-2024-53262)', async () => {
		const hostile = encodeURIComponent(HOSTILE);
		const raw = HOSTILE.replaceAll(' ', '%20').replaceAll('"', '%22');
		const email = newAddress();
		const otp = await freshCode(fixture.server, email);
		const done = await call(fixture.server, VERIFY, { json: { email, otp, name: HOSTILE } });
		const { token } = done.json() as { token: string };
		const isClean = (text: string): boolean => !/<script>alert|<img src=x/.test(text);
		for (const path of [
			`/auth/${raw}`,
			`/${hostile}`,
			`/app?${hostile}=${hostile}`,
			'/app',
			'/settings',
			`/auth/sign-in?${hostile}=${hostile}`,
			`/auth/sign-in?redirectTo=${hostile}`,
			`/auth/sign-up?redirectTo=/${hostile}&step=${hostile}`,
			'/auth/sign-out'
		]) {
			for (const who of [{}, bearer(token)]) {
				const headers = { accept: 'text/html', ...who };
				const { text, status } = await call(fixture.server, path, { headers });
				expect([status < 500, isClean(text), path]).toEqual([true, true, path]);
			}
		}
		for (const [action, fields] of [
			['request', { email: HOSTILE, __superform_id: HOSTILE }],
			['verify', { email: HOSTILE, code: HOSTILE }],
			[hostile, { email }]
		] as const) {
			const page = await form(`/auth/sign-in?/${action}&${hostile}=1`, fields);
			expect([[400, 404].includes(page.status), isClean(page.text)]).toEqual([true, true]);
		}
		const headers = { 'content-type': HOSTILE };
		const refused = await call(fixture.server, SEND, { method: 'POST', body: '{}', headers });
		expect([refused.status, refused.headers['content-type']]).toEqual([415, 'application/json']);
	});
});
