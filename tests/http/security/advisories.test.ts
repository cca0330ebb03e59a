import { expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	pairOf,
	signIn,
	times,
	verifyCode,
	whoIs,
	wrongCode,
	ME,
	OUT,
	SEND,
	type Call
} from '../../support/http/client.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

// Flaws of other programs that no other test here covers. tests/arch/cases.test.ts lists all of them.

onBothInLongForm((fixture) => {
	const form = (path: string, fields: Readonly<Record<string, string>>) =>
		openBrowser(fixture.server).post(path, fields);
	const expectAlive = async (): Promise<void> => {
		expect((await call(fixture.server, '/api/auth/ok')).json()).toEqual({ ok: true });
	};

	test('GHSA-xg6x-h9c9-2m83: no session and no cache before the code is right', async () => {
		const browser = openBrowser(fixture.server);
		const email = newAddress();
		await browser.post('/auth/sign-in?/request', { email, __superform_id: 'email' });
		const code = await fixture.server.codeFor(email);
		const wrong = await browser.post('/auth/sign-in?/verify', {
			email,
			code: wrongCode(code),
			__superform_id: 'code'
		});
		expect(wrong.setCookies.join()).not.toMatch(/postern_(?:session|cache)/);
		for (const name of ['postern_session', 'postern_cache']) {
			expect(browser.cookie(name)).toBeNull();
		}
		const api = await verifyCode(fixture.server, email, wrongCode(code));
		expect([api.headers['set-auth-token'], api.setCookies]).toEqual([undefined, []]);
	});

	test('GHSA-wmjr-v86c-m9jj: signing out with another user’s ids, handle or cache ends no session of that user', async () => {
		const victim = await signIn(fixture.server);
		const { session, user } = present(await me(fixture.server, bearer(victim.token)));
		const cache = victim.answer.setCookies.find((line) => line.startsWith('postern_cache='));
		const origin = fixture.server.address;
		for (const value of [session['id'], session['token'], user['id'], victim.email]) {
			const cookie = `postern_session=${String(value)}; ${cache?.split(';', 1)[0] ?? ''}`;
			await call(fixture.server, OUT, { json: {}, headers: { cookie, origin } });
			await call(fixture.server, OUT, { json: {}, headers: bearer(String(value)) });
			await call(fixture.server, OUT, { json: { token: value, sessionId: value, userId: value } });
		}
		expect(await whoIs(fixture.server, bearer(victim.token))).toBe(victim.email);
	});

	test('E03 E06: a session that ended during a bearer request is not served from its cache', async () => {
		const origin = fixture.server.address;
		const withCache = async () => {
			const signedIn = await signIn(fixture.server);
			const pairs = signedIn.answer.setCookies.map(pairOf).map((pair) => pair.join('='));
			return { ...signedIn, jar: pairs.filter((pair) => !pair.includes('browser')).join('; ') };
		};
		const [left, replaced] = [await withCache(), await withCache()];
		const other = await signIn(fixture.server);
		for (const { jar, email } of [left, replaced]) {
			expect(jar).toContain('postern_cache=');
			expect(await whoIs(fixture.server, { cookie: jar })).toBe(email);
		}

		const email = newAddress();
		const code = await freshCode(fixture.server, email);
		const beside = { cookie: replaced.jar, origin, ...bearer(other.token) };
		expect((await verifyCode(fixture.server, email, code, beside)).status).toBe(200);
		expect(await whoIs(fixture.server, { cookie: replaced.jar })).toBeNull();

		const headers = { cookie: left.jar, origin, ...bearer(other.token) };
		await call(fixture.server, OUT, { json: {}, headers });
		expect(await whoIs(fixture.server, { cookie: left.jar })).toBeNull();
		expect(await whoIs(fixture.server, bearer(other.token))).toBeNull();
	});

	test('CVE-2022-31093 GHSA-g5fm-jp9v-2432 sveltejs/kit@10d7b44425: a malformed redirect leads to the default page', async () => {
		for (const target of [
			...['/%0d%0aset-cookie:x=y', '/\r\nx: y', 'http://[', '/%', '/%zz', '/\ud83d', '/\0'],
			...['[object Object]', '/app\t', `/${'x'.repeat(6000)}`, '/é', '/app?x=\u2028']
		]) {
			const query = `redirectTo=${encodeURIComponent(target.toWellFormed())}`;
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const response = await browser.post(`/auth/sign-in?/request&${query}`, {
				email,
				__superform_id: 'email'
			});
			expect([target.slice(0, 30), response.status]).toEqual([target.slice(0, 30), 303]);
			const done = await browser.post(`/auth/sign-in?/verify&${query}`, {
				email,
				code: await fixture.server.codeFor(email),
				__superform_id: 'code'
			});
			expect([target.slice(0, 30), done.status]).toEqual([target.slice(0, 30), 303]);
			const leads = new URL(present(done.headers.location), fixture.server.address);
			expect(leads.origin).toBe(fixture.server.address);
			expect(done.headers['x']).toBeUndefined();
		}
		await expectAlive();
	});

	test('CVE-2026-9798: guesses over the API and by the form count against the same five', async () => {
		const email = newAddress();
		const code = await freshCode(fixture.server, email);
		for (let guess = 1; guess <= 3; guess += 1) {
			await verifyCode(fixture.server, email, wrongCode(code, guess));
		}
		for (let guess = 4; guess <= 5; guess += 1) {
			const fields = { email, code: wrongCode(code, guess), __superform_id: 'code' };
			expect((await form('/auth/sign-in?/verify', fields)).status).toBe(400);
		}
		expect((await verifyCode(fixture.server, email, code)).status).toBe(403);
		expect(
			(await form('/auth/sign-up?/verify', { email, code, __superform_id: 'code' })).status
		).toBe(400);
	});

	test('CVE-2023-29003 GHSA-5p75-vc5g-8rv2 CVE-2023-29008 GHSA-gv7g-x59x-wf8f sveltejs/kit#16347: no content type and no method escapes the origin check', async () => {
		const email = newAddress();
		const { cookie } = await signIn(fixture.server);
		const types = [
			...['text/plain', 'TEXT/PLAIN', 'Text/Plain; charset=x', 'application/x-www-form-urlencoded'],
			...[
				'APPLICATION/X-WWW-FORM-URLENCODED',
				'multipart/form-data; boundary=x',
				'Multipart/Form-Data'
			],
			...['application/json', 'Application/JSON', 'x/y', '', undefined]
		];
		for (const type of types) {
			for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
				for (const path of [SEND, OUT, '/auth/sign-in?/request', '/auth/sign-out', '/app']) {
					const options: Call = {
						method,
						body: path === SEND ? JSON.stringify({ email }) : `email=${encodeURIComponent(email)}`,
						headers: {
							origin: 'https://evil.example',
							cookie,
							...(type === undefined ? {} : { 'content-type': type })
						}
					};
					const { status } = await call(fixture.server, path, options);
					expect([type, method, path, status]).toEqual([type, method, path, 403]);
				}
			}
		}
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(email)).toBe(0);
		expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
	});

	test('CVE-2026-22803: binary forms and remote functions are not available, whatever lengths they declare', async () => {
		const { token } = await signIn(fixture.server);
		const claims = Buffer.alloc(64, 0xff);
		for (const path of ['/_app/remote/x/y', '/auth/sign-in?/request', '/app', SEND]) {
			for (const headers of [{}, bearer(token)]) {
				const { status, text } = await call(fixture.server, path, {
					method: 'POST',
					body: Buffer.concat([Buffer.from([0]), claims]),
					headers: {
						...headers,
						'content-type': 'application/x-sveltekit-formdata',
						origin: fixture.server.address
					}
				});
				// A remote call gets its refusal in JSON.
				const effective = /^\{"type":"(?:error|redirect)"/.test(text) ? 400 : status;
				expect([path, [303, 400, 403, 404, 405, 415].includes(effective), text]).toEqual([
					path,
					true,
					text
				]);
			}
		}
		await expectAlive();
	});

	test('sveltejs/kit@d9ae9b00b1: a client cannot set protocol, host or port of a request', async () => {
		for (const value of [
			'javascript',
			'https',
			'http://evil.example',
			'a,b',
			':',
			'\xff',
			'99999'
		]) {
			for (const name of [
				...[
					'x-postern-protocol',
					'x-forwarded-proto',
					'x-forwarded-host',
					'x-forwarded-port',
					'host'
				]
			]) {
				const page = await call(fixture.server, '/app?x=1', { headers: { [name]: value } });
				const expected = { status: 303, location: '/auth/sign-in?redirectTo=%2Fapp%3Fx%3D1' };
				// Node itself refuses an invalid host.
				if (name === 'host' && page.status === 400) continue;
				expect({ status: page.status, location: page.headers.location }).toEqual(expected);
			}
		}
	});

	test('sveltejs/kit@dadaefc2e6: two concurrent users never see each other’s answers', async () => {
		const [ada, eve] = await Promise.all([signIn(fixture.server), signIn(fixture.server)]);
		const answers = await Promise.all(
			times(200, async (i) => {
				const [who, other] = i % 2 === 0 ? [ada, eve] : [eve, ada];
				const path = ['/app', ME, '/api/hello', '/app/__data.json'][(i >> 1) % 4] ?? ME;
				const headers = (i >> 3) % 2 === 0 ? { cookie: who.cookie } : bearer(who.token);
				const { text, status } = await call(fixture.server, path, { headers });
				return [status, text.includes(who.email), text.includes(other.email)];
			})
		);
		expect(answers.filter(([status, own, foreign]) => status !== 200 || !own || foreign)).toEqual(
			[]
		);
	});

	test('CVE-2025-57820 CVE-2026-22774 CVE-2026-22775: a form in devalue’s notation is bounded and pollutes nothing', async () => {
		const payloads = [
			'[{"__proto__":1},{"email":2},"x@evil.example"]',
			'[["Object",{"__proto__":1}],{"polluted":2},true]',
			'[["null","__proto__",1],"x"]',
			'[[-7,4294967295,0,1],"x"]',
			'[["ArrayBuffer","////"],1]',
			`[["Float64Array",1],["ArrayBuffer","${'A'.repeat(100_000)}"]]`,
			'[["BigInt","' + '9'.repeat(50_000) + '"]]',
			'[["RegExp","(a+)+$","g"]]',
			'[["Date","x"]]',
			'[["Set",0]]',
			'[["Map",0,0]]',
			`${'['.repeat(20_000)}1${']'.repeat(20_000)}`,
			'{',
			'-1',
			'999'
		];
		for (const payload of payloads) {
			for (const name of [
				'__superform_json',
				'__superform_file_email',
				'__superform_files_email'
			]) {
				const page = await form('/auth/sign-in?/request', {
					__superform_id: 'email',
					[name]: payload
				});
				expect([name, payload.slice(0, 40), page.status < 500, page.status]).toEqual([
					name,
					payload.slice(0, 40),
					true,
					page.status
				]);
			}
		}
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo('x@evil.example')).toBe(0);
		await expectAlive();
	});
});
