import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { textOf, tokenOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	exchange,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	API,
	ME,
	SEND,
	type Answer,
	type Call
} from '../../support/http/client.ts';
import { onOneServer, present, type Fixture } from '../../support/http/fixtures.ts';

const OK = `${API}/ok`;
const REFUSED = {
	message: 'Too many requests. Please try again later.',
	code: 'TOO_MANY_REQUESTS'
};
const FORM = 'application/x-www-form-urlencoded';

let hosts = 0;
/** A new client in a network of its own, as the server sees it. */
const newClient = (): { readonly 'x-forwarded-for': string } => {
	hosts += 1;
	return { 'x-forwarded-for': `198.51.${hosts}.1` };
};

const statuses = (answers: readonly Answer[]): Record<string, number> =>
	tally(answers.map(({ status }) => status));

const tools = (fixture: Fixture) => {
	let clock = 0;
	const hit = (path: string, options: Call = {}): Promise<Answer> =>
		call(fixture.server, path, options);
	return {
		hit,
		/** Uses up the default limit of a route for the client that these headers count for. */
		exhaust: async (headers: OutgoingHttpHeaders, path = OK): Promise<void> => {
			const answers = await Promise.all(times(100, () => hit(path, { headers })));
			expect(statuses(answers)).toEqual({ 200: 100 });
			expect((await hit(path, { headers })).status).toBe(429);
		},
		/** Moves the server’s clock forward; it never goes back here. */
		later: async (seconds: number): Promise<void> => {
			clock += seconds;
			await fixture.server.shiftClock(clock);
		}
	};
};

onOneServer(
	(fixture) => {
		const { hit, exhaust, later } = tools(fixture);
		const form = async (
			client: OutgoingHttpHeaders,
			path: string,
			fields: object
		): Promise<Answer> => {
			const page = await hit('/auth/sign-in', { headers: client });
			const cookie = present(page.setCookies[0]).split(';', 1)[0] ?? '';
			return hit(path, {
				method: 'POST',
				body: new URLSearchParams({ csrf: present(tokenOf(page.text)), ...fields }).toString(),
				headers: {
					...{ ...client, cookie, accept: 'text/html', 'content-type': FORM },
					origin: fixture.server.address
				}
			});
		};

		test('A16 the 31st code check of a client within a minute is refused, over API and forms together, right or wrong, and uses no attempt', async () => {
			const client = newClient();
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			const answers = [
				...(await Promise.all(
					times(20, () => verifyCode(fixture.server, newAddress(), '123456', client))
				)),
				...(await Promise.all(
					times(10, (i) =>
						form(client, `/auth/sign-${i % 2 ? 'in' : 'up'}?/verify`, {
							...{ email: newAddress(), code: '123456', __superform_id: 'code' }
						})
					)
				))
			];
			expect(statuses(answers)).toEqual({ 400: 30 });
			for (const otp of [code, '000000']) {
				const refused = await verifyCode(fixture.server, email, otp, client);
				expect([refused.status, refused.json()]).toEqual([429, REFUSED]);
				expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/);
			}
			const page = await form(client, '/auth/sign-in?/verify', {
				email,
				code,
				__superform_id: 'code'
			});
			expect(page.status).toBe(429);
			const [row] = await fixture.database.rows(
				`select attempts from verification where email = '${email}'`
			);
			expect(Number(row?.['attempts'])).toBe(0);
			// Other clients, and other requests of the same client, are not affected.
			expect((await sendCode(fixture.server, newAddress(), client)).status).toBe(200);
			expect((await verifyCode(fixture.server, newAddress(), '123456')).status).toBe(400);
			await later(61);
			expect((await verifyCode(fixture.server, email, code, client)).status).toBe(200);
		});

		test('B07 B11 of 30 concurrent code requests of one client 20 are sent, over API and forms together, for any address', async () => {
			const client = newClient();
			const emails = times(30, () => newAddress('many'));
			const answers = await Promise.all(
				emails.map((email, i) => {
					if (i % 3 === 0) return sendCode(fixture.server, email, client);
					const [action, id] = i % 3 === 1 ? ['request', 'email'] : ['resend', 'resend'];
					return form(client, `/auth/sign-in?/${action}`, { email, __superform_id: id });
				})
			);
			expect(answers.filter(({ status }) => status === 200 || status === 303)).toHaveLength(20);
			expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
			await freshCode(fixture.server, newAddress());
			expect(emails.filter((email) => fixture.server.codesSentTo(email) > 0)).toHaveLength(20);
			const throttled = await fixture.database.rows(
				`select email from auth_throttle where email like 'many-%'`
			);
			expect(throttled).toHaveLength(20);
		});

		test('B09 at the limit no spelling of the path and no other method sends an email, and paths without a route share one bucket', async () => {
			const client = newClient();
			await Promise.all(times(20, () => sendCode(fixture.server, newAddress(), client)));
			const victim = newAddress('victim');
			const same = [SEND, `${SEND}?x=1`, SEND.replace('send', '%73end'), `${SEND}?/verify`];
			const others = [
				...[
					`/${SEND}`,
					`${SEND}/`,
					`${SEND}//`,
					SEND.toUpperCase(),
					SEND.replace('/auth', '/Auth')
				],
				...[
					`${SEND};x`,
					`${SEND};x=1`,
					SEND.replace('/email', '//email'),
					`${SEND}%20`,
					`${SEND}%00`
				],
				...[
					SEND.replace('/email', '/./email'),
					SEND.replace('/email', '/x/../email'),
					`${SEND}.json`
				],
				...[
					SEND.replaceAll('/', '%2f'),
					SEND.replace('/send', '%2fsend'),
					SEND.replace('send', '%2573end')
				],
				...[`${SEND}/__data.json`, `\\${SEND.slice(1)}`, `/%2e${SEND}`, `/auth/..${SEND}`]
			];
			for (const path of [...same, ...others]) {
				for (const method of ['POST', 'PUT', 'HEAD', 'OPTIONS', 'GET']) {
					const answer = await hit(path, {
						...{ method, body: JSON.stringify({ email: victim }) },
						headers: { ...client, 'content-type': 'application/json' }
					});
					expect([answer.status < 200 || answer.status > 299, path, method]).toEqual([
						true,
						path,
						method
					]);
					if (same.includes(path) && method === 'POST')
						expect([answer.status, path]).toEqual([429, path]);
				}
			}
			await freshCode(fixture.server, newAddress());
			expect(fixture.server.codesSentTo(victim)).toBe(0);

			// All paths without a route share one bucket per client.
			const another = newClient();
			const unknown = await Promise.all(
				times(110, (i) =>
					hit(
						present([`${API}/x${i}`, `//api/auth/${i}`, `${SEND};${i}`, `/API/AUTH/${i}`][i % 4]),
						{
							headers: another
						}
					)
				)
			);
			expect(unknown.filter(({ status }) => status === 429)).toHaveLength(10);
			expect((await hit(OK, { headers: another })).status).toBe(200);
		});

		test('B12 limits are checked before body, origin, session and database: over the limit every request is 429, also with the database down', async () => {
			const { token } = await signIn(fixture.server);
			const client = newClient();
			await exhaust(client, ME);
			await Promise.all(times(20, () => sendCode(fixture.server, newAddress(), client)));
			const tables = ['session', 'verification', 'auth_throttle'];
			for (const table of tables) {
				await fixture.database.rows(`alter table "${table}" rename to "${table}_gone"`);
			}
			try {
				const own = { ...client, ...bearer(token) };
				const broken = await hit(ME, { headers: bearer(token) });
				expect(broken.status).toBe(503);
				const json = { 'content-type': 'application/json' };
				const answers = [
					await hit(ME, { headers: own }),
					await sendCode(fixture.server, newAddress(), own),
					await hit(SEND, { method: 'POST', body: '{', headers: { ...client, ...json } }),
					await hit(SEND, { method: 'POST', body: 'x', headers: client }),
					await hit(SEND, { json: { email: 'x'.repeat(100_000) }, headers: client }),
					await hit(SEND, { json: {}, headers: { ...client, origin: 'https://evil.example' } }),
					await hit(SEND, { json: {}, headers: { ...client, origin: 'null' } })
				];
				for (const answer of answers) {
					expect([answer.status, answer.json()]).toEqual([429, REFUSED]);
				}
			} finally {
				for (const table of tables) {
					await fixture.database.rows(`alter table "${table}_gone" rename to "${table}"`);
				}
			}
			// Requests that the gate refuses count as well, so a page on another site cannot send them
			// without end.
			const other = newClient();
			const foreign = { ...other, origin: 'https://evil.example' };
			await Promise.all(times(20, () => hit(SEND, { json: {}, headers: foreign })));
			expect((await sendCode(fixture.server, newAddress(), other)).status).toBe(429);
		});

		test('B14 a client that waits for Retry-After is never refused twice in a row, and the wait is no longer than needed', async () => {
			const client = newClient();
			const read = () => hit(ME, { headers: client });
			let refusals = 0;
			for (let round = 0; round < 12; round += 1) {
				const answers = await Promise.all(times(37, read));
				const waits = answers.filter(({ status }) => status === 429);
				if (waits.length === 0) {
					await later(7);
					continue;
				}
				refusals += 1;
				const wait = Math.max(...waits.map(({ headers }) => Number(headers['retry-after'])));
				expect(wait).toBeGreaterThanOrEqual(1);
				expect(wait).toBeLessThanOrEqual(60);
				if (wait > 2) {
					await later(wait - 2);
					expect((await read()).status).toBe(429);
					await later(2);
				} else await later(wait);
				expect((await read()).status).toBe(200);
			}
			expect(refusals).toBeGreaterThan(3);
		});

		test('J01 B11 get-session allows 100 a minute per client, HEAD included, and refuses with both headers in whole seconds; other routes and clients are separate', async () => {
			const client = newClient();
			const answers = await Promise.all(
				times(110, (i) => hit(ME, { method: i % 2 ? 'HEAD' : 'GET', headers: client }))
			);
			expect(statuses(answers)).toEqual({ 200: 100, 429: 10 });
			const refused = await hit(`${ME}?disableRefresh=true`, { headers: client });
			expect([refused.status, refused.json()]).toEqual([429, REFUSED]);
			expect(refused.headers['content-type']).toBe('application/json');
			expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/);
			expect(refused.headers['x-retry-after']).toBe(refused.headers['retry-after']);
			expect(refused.headers['cache-control']).toBe('no-store');
			expect(refused.setCookies).toEqual([]);
			expect((await hit(OK, { headers: client })).status).toBe(200);
			expect((await hit(ME)).status).toBe(200);
			await later(61);
			expect((await hit(ME, { headers: client })).status).toBe(200);
		});

		test('OPTIONS has its own limit: it uses none of the limit for calls, and is limited too', async () => {
			const client = newClient();
			const options = await Promise.all(
				times(105, () => hit(ME, { method: 'OPTIONS', headers: client }))
			);
			expect(statuses(options)).toEqual({ 405: 100, 429: 5 });
			await exhaust(client, ME);
		});

		test('a form over the limit gets its page, which says how long to wait, or the same in JSON for a script', async () => {
			const client = newClient();
			const fields = { email: newAddress(), __superform_id: 'email' };
			await Promise.all(times(20, () => sendCode(fixture.server, newAddress(), client)));
			const page = await form(client, '/auth/sign-in?/request', fields);
			const wait = String(page.headers['retry-after']);
			expect([page.status, page.headers['content-type']]).toEqual([
				429,
				'text/html; charset=utf-8'
			]);
			expect(wait).toMatch(/^[1-9]\d?$/);
			expect(textOf(page.text)).toMatch(
				new RegExp(`Too many attempts\\. Wait (?:${wait} seconds|a second)`)
			);
			expect(page.headers['cache-control']).toBe('no-store');
			// The form itself, for another try.
			expect(tokenOf(page.text)).toBeDefined();
			expect(page.text).toContain('id="email"');
			const script = await hit('/auth/sign-up?/resend', {
				...{ method: 'POST', body: 'x=1' },
				headers: { ...client, 'content-type': FORM, 'x-sveltekit-action': 'true' }
			});
			expect([script.status, script.headers['content-type']]).toEqual([429, 'application/json']);
			expect(script.json()).toEqual({
				type: 'error',
				error: {
					status: 429,
					message: expect.stringContaining('Too many attempts'),
					wait: expect.objectContaining({ endsOnEdit: false })
				}
			});
			// Other limits of the client are not used up: entering a code has its own, and page views
			// have none.
			expect((await hit('/auth/sign-in', { headers: client })).status).toBe(200);
		});

		test('each client may post 100 forms a minute to a page, and the first action in the query decides the further limit', async () => {
			const client = newClient();
			const answers = await Promise.all(
				times(104, (i) =>
					hit(`/auth/sign-out${i % 2 ? '' : `?/x${i}`}`, {
						...{ method: 'POST', body: 'x=1' },
						headers: { ...client, 'content-type': FORM, accept: 'text/html' }
					})
				)
			);
			expect(statuses(answers)).toEqual({ 403: 100, 429: 4 });
			// The action name decides the limit, in every form in which the framework reads it.
			const sender = newClient();
			await Promise.all(times(20, () => sendCode(fixture.server, newAddress(), sender)));
			for (const query of [
				'?/request',
				'?%2Frequest',
				'?x=1&/request',
				'?/request=1',
				'?/resend&/verify'
			]) {
				const page = await form(sender, `/auth/sign-in${query}`, {
					email: 'x',
					__superform_id: 'email'
				});
				expect([page.status, query]).toEqual([429, query]);
			}
			const first = await form(sender, '/auth/sign-in?/verify&/request', {
				__superform_id: 'code'
			});
			expect(first.status).toBe(400);
		});

		test('routes of the application and page views have no limit by default', async () => {
			const client = newClient();
			const { token } = await signIn(fixture.server);
			for (const [path, status] of [
				['/api/hello', 200],
				['/api/no-such', 404],
				['/app', 200],
				['/auth/sign-in', 303],
				['/favicon.svg', 200]
			] as const) {
				const answers = await Promise.all(
					times(120, () => hit(path, { headers: { ...client, ...bearer(token) } }))
				);
				expect([statuses(answers), path]).toEqual([{ [status]: 120 }, path]);
			}
		});

		test('J01 a private peer is trusted for one address in x-forwarded-for, which wins over all other headers', async () => {
			await exhaust({ 'x-forwarded-for': '203.0.113.1' });
			expect((await hit(OK, { headers: { 'x-forwarded-for': '203.0.113.2' } })).status).toBe(200);
			for (const headers of [
				{ 'x-forwarded-for': ' 203.0.113.1 ' },
				{ 'x-forwarded-for': '203.0.113.1', 'x-real-ip': '203.0.113.9' },
				{
					'x-forwarded-for': '203.0.113.1',
					forwarded: 'for=203.0.113.9',
					'cf-connecting-ip': '1.1.1.1'
				}
			]) {
				expect((await hit(OK, { headers })).status).toBe(429);
			}
		});

		test('J03 J04 a chain, garbage, two headers or none count for the peer: no error, no bypass', async () => {
			await later(61);
			const garbage = [
				...['a', '', ',', '1.2.3.4,', ',1.2.3.4', '1.2.3.4:5678', '[::1]:80', '[::1]', 'unknown'],
				...[
					'_hidden',
					'1.2.3.4 5.6.7.8',
					'1.2.3.4, 5.6.7.8',
					'evil, 1.2.3.4, 10.0.0.1',
					'1.2.3',
					'0x7f.1'
				],
				...[
					'017.0.0.1',
					'1.2.3.4/32',
					'::ffff:1.2.3.4.5',
					'x'.repeat(8000),
					'1,'.repeat(2000),
					'%',
					'2130706433'
				]
			];
			const tried = times(150, (i) => ({
				headers: {
					'x-forwarded-for':
						i % 10 === 9
							? ([`1.2.3.${i}`, `5.6.7.${i}`] as never)
							: present(garbage[i % garbage.length])
				}
			}));
			const answers = await Promise.all(tried.map((options) => hit(OK, options)));
			expect(statuses(answers)).toEqual({ 200: 100, 429: 50 });
			const huge = await exchange(
				fixture.server,
				`GET ${OK} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${'1'.repeat(65_536)}\r\n\r\n`
			);
			expect(huge).toMatch(/^(?:HTTP\/1\.1 431 |$)/);
			const forwarded = { 'x-forwarded-for': 'unknown', forwarded: 'for=192.0.2.60' };
			expect((await hit(OK, { headers: forwarded })).status).toBe(429);
		});

		test.skipIf(process.platform !== 'linux')(
			'J03 two peers whose chains cannot be resolved are two clients',
			async () => {
				await later(61);
				const headers = { 'x-forwarded-for': '192.0.2.1, 192.0.2.2' };
				const from = (address: string) => hit(OK, { headers, from: address });
				await Promise.all(times(100, () => from('127.0.0.1')));
				expect((await from('127.0.0.1')).status).toBe(429);
				expect((await from('127.0.0.2')).status).toBe(200);
			}
		);

		test('J05 J06 one /64 is one client in any spelling, and IPv4-mapped IPv6 is IPv4', async () => {
			const within = await Promise.all(
				times(110, (i) =>
					hit(OK, {
						headers: { 'x-forwarded-for': `2001:db8:0:7:${(i * 599).toString(16)}::${i}` }
					})
				)
			);
			expect(statuses(within)).toEqual({ 200: 100, 429: 10 });
			for (const [address, status] of [
				['2001:DB8::7:ffff:ffff:ffff:ffff', 429],
				['2001:0db8:0000:0007:0:0:0:1', 429],
				['2001:db8:0:7::1%eth0', 429],
				['2001:db8:0:8::1', 200],
				['2001:db8:1:7::1', 200]
			] as const) {
				const answer = await hit(OK, { headers: { 'x-forwarded-for': address } });
				expect([answer.status, address]).toEqual([status, address]);
			}
			await exhaust({ 'x-forwarded-for': '::ffff:192.0.2.33' });
			for (const address of [
				'192.0.2.33',
				'::ffff:c000:221',
				'::FFFF:192.0.2.33',
				'0:0:0:0:0:ffff:c000:0221'
			]) {
				const answer = await hit(OK, { headers: { 'x-forwarded-for': address } });
				expect([answer.status, address]).toEqual([429, address]);
			}
		});
	},
	{},
	{ alone: true }
);

// The address that the framework’s adapter would read instead must have no effect.
onOneServer(
	(fixture) => {
		const { hit, later } = tools(fixture);

		test('J01 J09 with AUTH_TRUSTED_PROXIES=none no header is trusted: 300 claimed addresses are one client', async () => {
			const answers = await Promise.all(
				times(300, (i) =>
					hit(OK, {
						headers: {
							'x-forwarded-for': `203.0.${i >> 8}.${i & 255}`,
							'x-real-ip': `198.18.${i >> 8}.${i & 255}`,
							'x-client': `198.19.${i >> 8}.${i & 255}`
						}
					})
				)
			);
			expect(statuses(answers)).toEqual({ 200: 100, 429: 200 });
			await later(61);
			expect((await hit(OK)).status).toBe(200);
		});
	},
	{ AUTH_TRUSTED_PROXIES: 'none', ADDRESS_HEADER: 'x-client', XFF_DEPTH: '3' }
);

onOneServer(
	(fixture) => {
		const { hit, exhaust, later } = tools(fixture);
		const chain = (text: string) => ({ headers: { 'x-forwarded-for': text } });

		test('J02 J06 the client is the first address from the right that is not a listed proxy', async () => {
			const answers = await Promise.all(
				times(110, (i) => hit(OK, chain(`6.6.6.${i}, 192.0.2.1, 10.1.2.3, 203.0.113.7`)))
			);
			expect(statuses(answers)).toEqual({ 200: 100, 429: 10 });
			for (const [text, status] of [
				['192.0.2.1', 429],
				['192.0.2.1, ::ffff:203.0.113.7', 429],
				['192.0.2.1, 10.255.255.255, 10.0.0.1,10.9.9.9', 429],
				['192.0.2.2, 10.1.2.3', 200],
				['192.0.2.1, 192.0.2.3', 200],
				['192.0.2.1, 203.0.113.8', 200]
			] as const) {
				const answer = await hit(OK, chain(text));
				expect([answer.status, text]).toEqual([status, text]);
			}
		});

		test('J02 J04 a chain that ends in garbage, or only has proxies, counts for the peer', async () => {
			await later(61);
			const answers = await Promise.all(
				times(110, (i) =>
					hit(
						OK,
						chain(present([`1.1.1.${i}, x, 10.0.0.1`, '10.0.0.1, 10.0.0.2', `9.9.9.${i},`][i % 3]))
					)
				)
			);
			expect(statuses(answers)).toEqual({ 200: 100, 429: 10 });
		});

		test.skipIf(process.platform !== 'linux')(
			'J02 an unlisted peer is not trusted, even a private one',
			async () => {
				await later(61);
				const answers = await Promise.all(
					times(110, (i) => hit(OK, { ...chain(`192.0.2.${i}`), from: '127.0.0.9' }))
				);
				expect(statuses(answers)).toEqual({ 200: 100, 429: 10 });
				await exhaust({ 'x-forwarded-for': '192.0.2.200' });
			}
		);
	},
	{ AUTH_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, ::ffff:203.0.113.7' }
);
