import { describe, expect, test } from 'vitest';
import {
	aSignedInSite,
	aVisitedSite,
	bearer,
	enterCode,
	ME,
	newAddress,
	requestCode,
	SEND,
	SESSION,
	shownEmail,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const API = '/api/auth';
const OUT = `${API}/sign-out`;
const LIST = `${API}/list-sessions`;
const HELLO = '/api/hello';

interface Me {
	readonly session: { readonly id: string; readonly token: string };
	readonly user: { readonly id: string };
}
const meOf = async (visitor: Visitor): Promise<Me> => (await visitor.api(ME)).json() as Me;

describe('the account that a call acts on', () => {
	test('E23 O08 is selected by no id in the body, the query, a header or a cookie (CVE-2025-61928, GHSA-h3rm-78g3-j7cp)', async () => {
		const site = await aSite();
		const [actor, target] = [await signIn(site), await signIn(site)];
		const { session, user } = await meOf(target.visitor);
		const before = site.userOf(target.email);
		const ids = { userId: user.id, id: user.id, sessionId: session.id, keep: session.id };
		const json = { ...ids, user, session, name: 'Eve' };
		const query = new URLSearchParams({ ...ids, token: target.token, email: target.email });
		const headers = {
			...bearer(actor.token),
			'x-user-id': user.id,
			'x-session-id': session.id,
			cookie: `userId=${user.id}`
		};
		const call = (path: string, init = {}) =>
			site.visitor().call(`${path}?${query}`, { headers, ...init });
		expect(shownEmail(await call(ME))).toBe(actor.email);
		expect((await call(HELLO)).text).toContain(actor.email);
		expect((await call(LIST)).json()).toHaveLength(1);
		expect((await site.visitor().call(`${ME}?${query}`)).json()).toBeNull();
		for (const path of ['/update-user', '/revoke-other-sessions', '/delete-user']) {
			expect([path, (await call(API + path, { json })).status]).toEqual([path, 200]);
		}
		expect(site.userOf(actor.email)).toMatchObject({ name: 'Eve', deletedAt: site.clock.now() });
		expect(site.userOf(target.email)).toBe(before);
		expect(shownEmail(await target.visitor.api(ME))).toBe(target.email);
	});

	test('E17 O08 is selected by a token in no other place than a Bearer header and our cookie', async () => {
		const { site, token, visitor, email } = await aSignedInSite();
		const client = site.visitor();
		for (const name of ['token', 'access_token', 'authorization', SESSION, 'session']) {
			expect((await client.call(`${ME}?${name}=${token}`)).json()).toBeNull();
			expect((await client.call(`${HELLO}?${name}=${token}`)).status).toBe(401);
		}
		for (const headers of [
			{ 'x-auth-token': token },
			{ 'set-auth-token': token },
			{ 'proxy-authorization': `Bearer ${token}` },
			{ cookie: `token=${token}; session=${token}; Authorization=${token}` }
		]) {
			expect((await client.call(ME, { headers })).json()).toBeNull();
		}
		await client.call(OUT, { json: { token, access_token: token, session: token } });
		expect(shownEmail(await visitor.api(ME))).toBe(email);
	});

	test('E04 is selected by no id and no handle, which also end no session (GHSA-wmjr-v86c-m9jj)', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const { session, user } = await meOf(visitor);
		for (const value of [session.id, session.token, user.id, email]) {
			const other = site.visitor();
			other.setCookie(SESSION, value);
			other.setCookie('postern_cache', visitor.cookie('postern_cache'));
			expect((await other.api(ME)).json()).toBeNull();
			expect((await other.call(ME, { headers: bearer(value) })).json()).toBeNull();
			await other.api(OUT, { json: { token: value, sessionId: value } });
			await other.call(OUT, { json: { userId: value }, headers: bearer(value) });
		}
		expect(shownEmail(await visitor.api(ME))).toBe(email);
	});
});

test('E19 the token of a session is in no answer to a form, no refresh, no list and no page', async () => {
	const { site, visitor, email } = await aVisitedSite();
	await requestCode(visitor, email);
	const answers = [await enterCode(site, visitor, email)];
	site.clock.advance(24 * 3600 + 1);
	for (const path of [ME, LIST]) answers.push(await visitor.api(path));
	for (const path of ['/app', '/settings']) answers.push(await visitor.open(path));
	const token = visitor.cookie(SESSION) ?? '';
	expect(token).toMatch(/^[\w-]{43}$/);
	for (const { text, headers } of answers) {
		expect(text).not.toContain(token);
		expect(headers.get('set-auth-token')).toBeNull();
	}
});

test.each([OUT, VERIFY])(
	'E03 E06 %s with a bearer and the cookie of another session ends the session of the cookie, and its cache',
	async (path) => {
		const site = await aSite();
		const [program, browser] = [await signIn(site), await signIn(site)];
		const kept = site.visitor(browser.visitor);
		const email = newAddress();
		await site.visitor().call(SEND, { json: { email } });
		const json = path === OUT ? {} : { email, otp: await site.codeFor(email) };
		const done = await browser.visitor.api(path, { json, headers: bearer(program.token) });
		expect(done.status).toBe(200);
		expect((await kept.api(ME)).json()).toBeNull();
		const left = await site.visitor().call(ME, { headers: bearer(program.token) });
		expect(shownEmail(left)).toBe(path === OUT ? null : program.email);
	}
);
