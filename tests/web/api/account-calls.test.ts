import { describe, expect, test } from 'vitest';
import {
	aSignedInSite,
	bearer,
	ME,
	newAddress,
	SEND,
	SESSION,
	shownEmail,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

const API = '/api/auth';
const UPDATE = `${API}/update-user`;
const LIST = `${API}/list-sessions`;
const REVOKE = `${API}/revoke-session`;
const CACHE = 'postern_cache';

const result = (answer: Answer): readonly unknown[] => {
	const body = answer.json() as { code?: string };
	return [answer.status, body.code ?? body];
};

describe('update-user', () => {
	test.each([
		[{ name: 'Ada' }, [200, { status: true }]],
		[{ image: 'https://example.com/a.png' }, [200, { status: true }]],
		[{ image: null, more: 1 }, [200, { status: true }]],
		[{}, [400, 'NO_FIELDS_TO_UPDATE']],
		[{ nickname: 'x', createdAt: 0 }, [400, 'NO_FIELDS_TO_UPDATE']],
		[{ email: 'new@example.com' }, [400, 'EMAIL_CAN_NOT_BE_UPDATED']],
		[{ email: null, name: 'Ada' }, [400, 'EMAIL_CAN_NOT_BE_UPDATED']],
		[{ name: null }, [400, 'VALIDATION_ERROR']],
		[{ name: 'Ada', image: 5 }, [400, 'VALIDATION_ERROR']],
		[{ image: 'a\0b' }, [400, 'VALIDATION_ERROR']]
	])('with %j answers %j', async (json, expected) => {
		const { site, visitor } = await aSignedInSite();
		const [before] = site.tables.users.values();
		expect(result(await visitor.api(UPDATE, { json }))).toEqual(expected);
		const [after] = site.tables.users.values();
		if (expected[0] === 400) expect(after).toEqual(before);
	});

	test('D05 a profile that no longer fits into the cache cookie deletes it, and the session stays', async () => {
		const { visitor, email } = await aSignedInSite();
		expect(visitor.cookie(CACHE)).not.toBeNull();
		const json = { name: '€'.repeat(200), image: 'y'.repeat(2048) };
		const longer = { image: `${json.image}y` };
		expect(result(await visitor.api(UPDATE, { json: longer }))).toEqual([400, 'VALIDATION_ERROR']);
		expect((await visitor.api(UPDATE, { json })).status).toBe(200);
		expect([visitor.cookie(CACHE), shownEmail(await visitor.api(ME))]).toEqual([null, email]);
	});
});

describe('the sessions of an account', () => {
	const listOf = async (visitor: Visitor): Promise<readonly Record<string, unknown>[]> =>
		(await visitor.api(LIST)).json() as Record<string, unknown>[];

	test('E20 are listed with handle, times and device, without a token', async () => {
		const { site, visitor, email, token } = await aSignedInSite();
		site.clock.advance(60);
		await signIn(site, email);
		const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		const listed = await listOf(visitor);
		expect(listed).toEqual(
			[0, 1].map(() => ({
				id: expect.any(String),
				token: expect.any(String),
				userId: expect.any(String),
				expiresAt: instant,
				createdAt: instant,
				updatedAt: instant,
				ipAddress: expect.any(String),
				userAgent: expect.any(String)
			}))
		);
		expect(JSON.stringify(listed)).not.toContain(token);
	});

	test('are listed by device as well, that of the call first, and one for each client key', async () => {
		const { site, visitor, email } = await aSignedInSite();
		for (const key of ['p', 'p', 'o']) {
			const headers = { 'x-postern-client': key.repeat(22) };
			await site.visitor().call(SEND, { json: { email, type: 'sign-in' }, headers });
			const json = { email, otp: await site.codeFor(email) };
			expect((await site.visitor().call(VERIFY, { json, headers })).status).toBe(200);
		}
		const devices = (await visitor.api(`${API}/list-devices`)).json() as { sessions: object[] }[];
		const device = { name: expect.any(String), lastActiveAt: site.clock.now().toISOString() };
		expect(devices.map((device) => ({ ...device, sessions: device.sessions.length }))).toEqual([
			{ ...device, current: true, sessions: 1 },
			{ ...device, current: false, sessions: 1 },
			{ ...device, current: false, sessions: 2 }
		]);
		const handles = devices.flatMap(({ sessions }) => sessions);
		expect(handles).toEqual(expect.arrayContaining([...(await listOf(visitor))]));
	});

	test('E20 end by their handle; a foreign, an unknown and a malformed one get the same answer and end nothing (GHSA-4vcf-q4xf-f48m)', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const [other, stranger] = [await signIn(site, email), await signIn(site)];
		const [foreign] = await listOf(stranger.visitor);
		for (const token of [foreign?.['token'], crypto.randomUUID(), '', 'x', '\0', other.token]) {
			const answer = await visitor.api(REVOKE, { json: { token } });
			expect(result(answer)).toEqual([200, { status: true }]);
		}
		expect(site.tables.sessions.size).toBe(3);
		for (const json of [{}, { token: null }, { token: 5 }, { token: [] }]) {
			expect(result(await visitor.api(REVOKE, { json }))).toEqual([400, 'VALIDATION_ERROR']);
		}
		const [theirs] = await listOf(other.visitor);
		await visitor.api(REVOKE, { json: { token: theirs?.['token'] } });
		expect([...site.tables.sessions.values()]).toHaveLength(2);
	});

	test.each([
		['revoke-session', 1, true],
		['revoke-other-sessions', 1, false],
		['revoke-sessions', 0, true]
	])(
		'E12 by %s leave %d, and the cookies of its own session: deleted %s',
		async (name, left, ends) => {
			const { site, visitor, email } = await aSignedInSite();
			const client = await signIn(site, email);
			const me = (await visitor.api(ME)).json() as { session: { token: string } };
			const answer = await visitor.api(`${API}/${name}`, { json: { token: me.session.token } });
			expect(result(answer)).toEqual([200, { status: true }]);
			expect([visitor.cookie(SESSION), visitor.cookie(CACHE)].includes(null)).toBe(ends);
			expect(site.tables.sessions.size).toBe(left);
			expect((await site.visitor().call(LIST, { headers: bearer(client.token) })).status).toBe(
				name === 'revoke-session' ? 200 : 401
			);
		}
	);
});

describe('a code over the API', () => {
	test('is sent and checked for two types only', async () => {
		const site = await aSite();
		const email = newAddress();
		for (const type of ['forget-password', 'change-email', '', 'SIGN-IN']) {
			const sent = await site.visitor().call(SEND, { json: { email, type } });
			expect(result(sent)).toEqual([400, 'INVALID_OTP_TYPE']);
			const json = { email, type, otp: '123456' };
			const check = `${API}/email-otp/check-verification-otp`;
			expect(result(await site.visitor().call(check, { json }))).toEqual([400, 'INVALID_OTP_TYPE']);
		}
		expect(await site.mailsTo(email)).toEqual([]);
		for (const address of ['nobody', '', `${email},x@example.com`]) {
			const refused = await site.visitor().call(SEND, { json: { email: address } });
			expect(result(refused)).toEqual([400, 'INVALID_EMAIL']);
		}
	});

	test.each([
		['single', true, true],
		...['true', 1, 'on', [true], { consent: true }, null].map((value) => ['single', value, false]),
		['split', true, false]
	])('with AUTH_ENTRY=%s and marketingOptIn %j a new account consents: %s', async (...row) => {
		const [AUTH_ENTRY, marketingOptIn, given] = row as [string, unknown, boolean];
		const site = await aSite({ AUTH_ENTRY });
		const email = newAddress();
		const enter = async (more: object): Promise<number> => {
			await site.visitor().call(SEND, { json: { email } });
			const json = { email, otp: await site.codeFor(email), ...more };
			return (await site.visitor().call(VERIFY, { json })).status;
		};
		expect(await enter({ marketingOptIn })).toBe(200);
		const consents = () => [...site.tables.userData.values()].map((data) => data.marketingOptIn);
		expect(consents()).toEqual([given]);
		// The account is not new any more.
		await enter({ marketingOptIn: !given });
		expect(consents()).toEqual([given]);
	});
});
