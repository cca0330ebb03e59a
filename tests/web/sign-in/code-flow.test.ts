import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { wrong } from '../../support/domain/fixture.ts';
import {
	aSignedInSite,
	aVisitedSite,
	bearer,
	enterCode,
	formAction,
	ME,
	newAddress,
	requestCode,
	SEND,
	SESSION,
	shownEmail,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';

const PAGE = '/auth/sign-in';

const usersIn = ({ tables }: Site): readonly string[] =>
	[...tables.users.values()].map(({ email }) => email);

describe('the email step', () => {
	test('C06 sends one code, creates no account and redirects to the code step, with the target kept', async () => {
		const { site, visitor, email } = await aVisitedSite();
		expect((await visitor.open(PAGE)).data).toMatchObject({ step: 'email', pendingCode: null });
		const requested = await requestCode(visitor, email, `${PAGE}?redirectTo=%2Fsettings`);
		expect([requested.status, requested.location]).toEqual([303, `${PAGE}?redirectTo=%2Fsettings`]);
		expect(await site.mailsTo(email)).toMatchObject([{ kind: 'sign_in_code', lifetime: 600 }]);
		expect((await visitor.open(`${PAGE}?redirectTo=%2Fsettings`)).data).toMatchObject({
			step: 'code',
			pendingCode: { email, state: 'open', attemptsLeft: 5, secondsLeft: 600, resendIn: 30 },
			keptQuery: 'redirectTo=%2Fsettings',
			emailForm: { data: { email } },
			codeForm: { data: { email } }
		});
		expect(usersIn(site)).toEqual([]);
	});

	test('opening the page sends nothing, and ?step=email offers another address with this one filled in', async () => {
		const { site, visitor, email } = await aVisitedSite();
		await visitor.open(PAGE);
		await requestCode(visitor, email);
		expect((await visitor.open(`${PAGE}?step=email`)).data).toMatchObject({
			step: 'email',
			emailForm: { data: { email } }
		});
		await visitor.open(PAGE);
		expect(await site.mailsTo(email)).toHaveLength(1);
	});

	test.each([
		['an empty field', '', messages.errors.emptyEmail],
		['a word', 'nobody', messages.errors.invalidEmail],
		['513 characters', 'x'.repeat(513), messages.errors.invalidEmail]
	])('%s is 400 at the field, which keeps it', async (_, email, text) => {
		const site = await aSite();
		const answer = await requestCode(site.visitor(), email);
		expect(answer.status).toBe(400);
		expect(answer.form).toMatchObject({ form: { data: { email }, errors: { email: [text] } } });
	});

	test.each([
		['bounces@example.test', null, { _errors: [messages.errors.deliveryFailed] }],
		['nobody@example.test', null, {}],
		['busy@example.test', '10', {}]
	])('a refused email to %s is 503, with a wait only if it helps', async (email, wait, errors) => {
		const site = await aSite();
		const refused = await requestCode(site.visitor(), email);
		const overApi = await site.visitor().call(SEND, { json: { email, type: 'sign-in' } });
		for (const { status, headers } of [refused, overApi]) {
			expect([status, headers.get('retry-after')]).toEqual([503, wait]);
		}
		expect(refused.form).toMatchObject({ form: { errors } });
	});
});

describe('the code step', () => {
	test('the right code signs in once, replaces the session of the browser and leads to the target', async () => {
		const { site, email, visitor, token } = await aSignedInSite();
		expect(usersIn(site)).toEqual([email]);
		const jar = site.visitor(visitor);
		// The page redirects a signed-in visitor, but its forms still work in another tab.
		const requested = await requestCode(visitor, email, `${PAGE}?redirectTo=%2Fsettings`);
		const done = await enterCode(site, visitor, email, `${PAGE}?redirectTo=%2Fsettings`);
		expect([requested.status, done.status, done.location]).toEqual([303, 303, '/settings']);
		expect(visitor.cookie(SESSION)).not.toBe(token);
		expect(shownEmail(await visitor.api(ME))).toBe(email);
		expect(shownEmail(await jar.api(ME))).toBeNull();
		expect([...site.tables.sessions.values()]).toHaveLength(1);
		// The same code again.
		expect((await enterCode(site, site.visitor(), email)).status).toBe(400);
	});

	test('A14 a wrong code costs an attempt and opens no session, one of another length costs none, and after five the right one is refused (CVE-2026-49443, CVE-2026-54730, GHSA-xg6x-h9c9-2m83)', async () => {
		const { site, visitor, email } = await aVisitedSite();
		await requestCode(visitor, email);
		const code = await site.codeFor(email);
		const enter = async (typed: string): Promise<readonly unknown[]> => {
			const { status, form } = await visitor.post(`${PAGE}?/verify`, { email, code: typed });
			const { errors, data } = (form as { form: { errors: { code: string[] }; data: object } })
				.form;
			expect(data).toMatchObject({ email });
			return [status, errors.code[0]];
		};
		expect(await enter('')).toEqual([400, messages.inputErrors.emptyCode]);
		expect(await enter('123')).toEqual([400, messages.errors.invalidCode]);
		for (const left of [4, 3, 2, 1, 0]) {
			expect(await enter(wrong(code))).toEqual([400, messages.errors.invalidCodeAttempts(left)]);
		}
		expect(await enter(code)).toEqual([403, messages.errors.tooManyAttempts]);
		expect(await enter(code)).toEqual([400, messages.errors.invalidCode]);
		expect((await visitor.open(PAGE)).data['pendingCode']).toMatchObject({
			state: 'exhausted',
			attemptsLeft: 0
		});
		expect([visitor.cookie(SESSION), visitor.cookie('postern_cache')]).toEqual([null, null]);
		expect(usersIn(site)).toEqual([]);
	});

	test('an expired code is 400 with a message, and the page shows it until the browser may belong to another user', async () => {
		const { site, visitor, email } = await aVisitedSite();
		await requestCode(visitor, email);
		site.clock.advance(601);
		const late = await enterCode(site, visitor, email);
		expect(late.status).toBe(400);
		expect(late.form).toMatchObject({ form: { errors: { code: [messages.errors.expiredCode] } } });
		expect((await visitor.open(PAGE)).data['pendingCode']).toMatchObject({
			state: 'expired',
			secondsLeft: 0
		});
		site.clock.advance(600);
		expect((await visitor.open(PAGE)).data).toMatchObject({ step: 'email', pendingCode: null });
	});

	test('the code of a browser is invalid in another one, whose page has no code (CVE-2026-45337, GHSA-cq3f-vc6p-68fh)', async () => {
		const site = await aSite();
		const [owner, attacker] = [site.visitor(), site.visitor()];
		const email = newAddress();
		const say = async (to: string, code: string): Promise<unknown> => {
			const answer = await attacker.post(`${PAGE}?/verify`, { email: to, code });
			return (answer.form as { form: { errors: { code: string[] } } }).form.errors.code[0];
		};
		const { invalidCode } = messages.errors;
		// Another browser's code changes nothing in what this one says.
		const unknown = await say(email, '000000');
		await requestCode(owner, email);
		const elsewhere = await say(email, await site.codeFor(email));
		expect([unknown, elsewhere]).toEqual([invalidCode, invalidCode]);
		expect((await attacker.open(PAGE)).data['pendingCode']).toBeNull();
		expect(await say(email, '12')).toBe(invalidCode);
		const own = newAddress();
		await requestCode(attacker, own);
		expect(await say(email, '000000')).toBe(invalidCode);
		expect(await say(own.toUpperCase(), wrong(await site.codeFor(own)))).toContain('4 attempts');
		const otp = await site.codeFor(email);
		expect((await attacker.call(VERIFY, { json: { email, otp } })).status).toBe(400);
		expect((await enterCode(site, owner, email)).status).toBe(303);
	});

	// CVE-2024-56734, CVE-2025-27143, CVE-2025-53535, GHSA-vp58-j275-797x
	test.each(['https://evil.example/', ''])('a hostile target %j leads to /app', async (target) => {
		const { site, visitor, email } = await aVisitedSite();
		const path = `${PAGE}?${new URLSearchParams({ redirectTo: target })}`;
		await requestCode(visitor, email, path);
		const fields = { email, code: await site.codeFor(email), redirectTo: target };
		const done = await visitor.post(formAction(path, 'verify'), fields);
		expect([done.status, done.location]).toEqual([303, '/app']);
		expect((await visitor.open(path)).location).toBe('/app');
	});
});

describe('another code', () => {
	test('is 429 within 30 seconds; then only the newest code works', async () => {
		const { site, visitor, email } = await aVisitedSite();
		await requestCode(visitor, email);
		const first = await site.codeFor(email);
		site.clock.advance(10);
		const soon = await visitor.post(`${PAGE}?/resend`, { email });
		expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '20']);
		expect(soon.form).toMatchObject({
			form: {
				id: 'resend',
				errors: { _errors: [messages.errors.resendTooSoon(20)] },
				message: { wait: { seconds: 20, endsOnEdit: true } }
			}
		});
		site.clock.advance(20);
		const resent = await visitor.post(formAction(`${PAGE}?redirectTo=%2Fapp`, 'resend'), { email });
		const query = `resent=${site.clock.now().getTime()}`;
		const again = `${PAGE}?redirectTo=%2Fapp&${query}`;
		expect([resent.status, resent.location]).toEqual([303, again]);
		expect((await visitor.open(again)).data['resent']).toBe(query);
		expect(await site.mailsTo(email)).toHaveLength(2);
		const wrong = await visitor.post(`${PAGE}?/verify&${query}`, { email, code: first });
		expect([wrong.status, wrong.data['resent']]).toEqual([400, query]);
		expect((await enterCode(site, visitor, email)).status).toBe(303);
	});

	test('is not one for another email address, also on the page of an earlier one', async () => {
		const { site, visitor, email } = await aVisitedSite();
		await requestCode(visitor, email);
		site.clock.advance(30);
		const { location } = await visitor.post(`${PAGE}?/resend`, { email });
		site.clock.advance(1);
		await requestCode(visitor, newAddress());
		expect((await visitor.open(location ?? '')).data).toMatchObject({ step: 'code', resent: '' });
	});

	test('that the mail server refuses for its address leads back to the email form', async () => {
		const visitor = (await aSite()).visitor();
		const { form } = await visitor.post(`${PAGE}?/resend`, { email: 'nobody@example.test' });
		expect(form).toMatchObject({ form: { id: 'email', errors: { email: [expect.any(String)] } } });
	});
});

describe('the pages', () => {
	test.each([
		['open', true],
		['closed', false]
	])('with sign-up %s say so, and ask a visitor to confirm nothing', async (SIGN_UP, opens) => {
		const visitor = (await aSite({ SIGN_UP })).visitor();
		expect((await visitor.open(PAGE)).data).toMatchObject({
			createsAccounts: opens,
			mustConfirm: false,
			application: null,
			pendingConsent: null,
			emailForm: { data: { email: '' } },
			codeForm: { id: 'code', errors: {} },
			resendForm: { id: 'resend', errors: {} }
		});
	});

	test.each(['resend', 'verify'])('refuse to %s without an email address', async (action) => {
		const { visitor, email } = await aVisitedSite();
		await requestCode(visitor, email);
		const refused = await visitor.post(formAction(PAGE, action), { email: '', code: '123456' });
		const errors = { email: [messages.errors.emptyEmail] };
		expect([refused.status, refused.form]).toMatchObject([400, { form: { errors } }]);
	});

	test('someone who is signed in is redirected to the target (CVE-2022-46172)', async () => {
		const { visitor } = await aSignedInSite();
		for (const path of ['/auth/sign-in', '/auth/sign-up']) {
			expect((await visitor.open(path)).location).toBe('/app');
			expect((await visitor.open(`${path}?redirectTo=%2Fsettings`)).location).toBe('/settings');
		}
	});

	test('a page of the other layout redirects to its counterpart and keeps the query', async () => {
		const split = (await aSite()).visitor();
		expect((await split.open('/auth/login?redirectTo=%2Fx')).location).toBe(
			'/auth/sign-in?redirectTo=%2Fx'
		);
		const single = (await aSite({ AUTH_ENTRY: 'single' })).visitor();
		for (const path of ['/auth/sign-in', '/auth/sign-up']) {
			expect((await single.open(`${path}?redirectTo=%2Fx`)).location).toBe(
				'/auth/login?redirectTo=%2Fx'
			);
		}
		expect((await single.open('/auth/login')).data).toMatchObject({
			consent: messages.consent.label
		});
	});

	test('a protected page redirects to sign-in and back to its path and query', async () => {
		const site = await aSite();
		const visitor = site.visitor();
		const sent = await visitor.open('/settings?done=name');
		expect([sent.status, sent.location]).toEqual([
			303,
			`/auth/sign-in?redirectTo=${encodeURIComponent('/settings?done=name')}`
		]);
		const email = newAddress();
		await requestCode(visitor, email, sent.location ?? '');
		const done = await enterCode(site, visitor, email, sent.location ?? '');
		expect(done.location).toBe('/settings?done=name');
	});
});

test('a store that refuses a consent neither fails the sign-in nor shows an error, and is logged', async () => {
	const { site, visitor, email } = await aVisitedSite();
	await visitor.open('/auth/sign-up');
	await requestCode(visitor, email, '/auth/sign-up', { consent: 'on' });
	site.breakStore('consents.grantMarketing');
	expect((await enterCode(site, visitor, email, '/auth/sign-up')).location).toBe('/app');
	expect(shownEmail(await visitor.api(ME))).toBe(email);
	expect([...site.tables.userData.values()]).toMatchObject([{ marketingOptIn: false }]);
	expect(site.log.filter(({ name }) => name === 'fault')).toHaveLength(1);
});

describe('the log line of an entered code', () => {
	test('has the seconds since its newest email was requested, and only if the code is right', async () => {
		const site = await aSite();
		const visitor = site.visitor();
		const [email, other] = [newAddress(), newAddress()];
		await requestCode(visitor, email);
		site.clock.advance(40);
		await visitor.post(`${PAGE}?/resend`, { email });
		site.clock.advance(12.7);
		await visitor.post(`${PAGE}?/verify`, { email, code: wrong(await site.codeFor(email)) });
		await enterCode(site, visitor, email);
		await visitor.call(SEND, { json: { email: other } });
		site.clock.advance(65);
		await visitor.call(VERIFY, { json: { email: other, otp: await site.codeFor(other) } });
		const lines = site.log.filter(({ name }) => name === 'code_entered');
		expect(lines.map(({ outcome, secondsSinceSend }) => [outcome, secondsSinceSend])).toEqual([
			['invalid_code', undefined],
			['ok', 12],
			['ok', 65]
		]);
	});
});

describe('the API', () => {
	test('returns the token once, in the body and a header, and sets the session cookies', async () => {
		const site = await aSite();
		const client = site.visitor();
		const email = newAddress();
		expect((await client.call(SEND, { json: { email } })).json()).toEqual({ success: true });
		const otp = await site.codeFor(email);
		const done = await client.call(VERIFY, { json: { email, otp, name: 'Ada' } });
		expect(done.status).toBe(200);
		const { token } = done.json() as { token: string };
		expect(done.json()).toEqual({
			token: expect.stringMatching(/^[\w-]{43}$/),
			user: expect.objectContaining({ email, name: 'Ada', emailVerified: true })
		});
		expect(done.headers.get('set-auth-token')).toBe(token);
		expect(done.setCookies[0]).toMatch(
			new RegExp(
				`^__Host-postern_session=${token}; Max-Age=5184000; Path=/; HttpOnly; Secure; SameSite=Lax$`
			)
		);
		expect(shownEmail(await client.call(ME, { headers: bearer(token) }))).toBe(email);
	});

	test('binds the code to the browser only for requests of its own pages', async () => {
		const site = await aSite();
		const [visitor, client] = [site.visitor(), site.visitor()];
		const email = newAddress();
		await visitor.api(SEND, { json: { email } });
		expect(visitor.cookie('postern_browser')).toMatch(/^[\w-]{43}$/);
		const otp = await site.codeFor(email);
		const foreign = await client.call(VERIFY, { json: { email, otp } });
		expect([foreign.status, foreign.json()]).toEqual([
			400,
			{ message: 'Invalid OTP', code: 'INVALID_OTP' }
		]);
		expect((await visitor.api(VERIFY, { json: { email, otp } })).status).toBe(200);
	});
});
