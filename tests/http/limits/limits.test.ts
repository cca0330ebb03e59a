import { expect, test } from 'vitest';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	tally,
	times,
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

let hosts = 0;
/** A new client in a network of its own, as the server sees it. */
const newClient = (): { readonly 'x-forwarded-for': string } => {
	hosts += 1;
	return { 'x-forwarded-for': `198.51.${hosts}.1` };
};

const statuses = (answers: readonly Answer[]): Record<string, number> =>
	tally(answers.map(({ status }) => status));

const toolsOf = (fixture: Fixture) => {
	const hit = (path: string, options: Call = {}): Promise<Answer> =>
		call(fixture.server, path, options);
	const hits = async (count: number, options: (index: number) => Call, path = OK) =>
		statuses(await Promise.all(times(count, (index) => hit(path, options(index)))));
	return { hit, hits };
};

onOneServer(
	(fixture) => {
		const { hit, hits } = toolsOf(fixture);

		test('B09 at the limit no spelling of the path and no other method sends an email, and paths without a route share one bucket', async () => {
			const client = newClient();
			await Promise.all(times(20, () => sendCode(fixture.server, newAddress(), client)));
			const victim = newAddress('victim');
			const same = [SEND, `${SEND}?x=1`, SEND.replace('send', '%73end'), `${SEND}?/verify`];
			const others = [
				...[`/${SEND}`, `${SEND}/`, SEND.toUpperCase(), `${SEND};x`, `${SEND}%00`, `${SEND}.json`],
				...[SEND.replace('/email', '//email'), SEND.replace('/email', '/x/../email')],
				...[SEND.replaceAll('/', '%2f'), SEND.replace('send', '%2573end')],
				...[`${SEND}/__data.json`, `\\${SEND.slice(1)}`, `/auth/..${SEND}`]
			];
			for (const path of [...same, ...others]) {
				for (const method of ['POST', 'PUT', 'HEAD', 'OPTIONS', 'GET']) {
					const { status } = await hit(path, {
						...{ method, body: JSON.stringify({ email: victim }) },
						headers: { ...client, 'content-type': 'application/json' }
					});
					expect([status < 200 || status > 299, path, method]).toEqual([true, path, method]);
					if (same.includes(path) && method === 'POST') expect([status, path]).toEqual([429, path]);
				}
			}
			await freshCode(fixture.server, newAddress());
			expect(fixture.server.codesSentTo(victim)).toBe(0);

			const headers = newClient();
			const unknown = await Promise.all(
				times(110, (i) => {
					const spellings = [`${API}/x${i}`, `//api/auth/${i}`, `${SEND};${i}`, `/API/AUTH/${i}`];
					return hit(present(spellings[i % 4]), { headers });
				})
			);
			expect(statuses(unknown)[429]).toBe(10);
			expect((await hit(OK, { headers })).status).toBe(200);
		});

		test('B12 limits are checked before body, origin, session and database: over the limit every request is 429, also with the database down', async () => {
			const { token } = await signIn(fixture.server);
			const client = newClient();
			expect(await hits(101, () => ({ headers: client }), ME)).toEqual({ 200: 100, 429: 1 });
			await Promise.all(times(20, () => sendCode(fixture.server, newAddress(), client)));
			await fixture.database.rows('alter table session rename to session_gone');
			try {
				const own = { ...client, ...bearer(token) };
				expect((await hit(ME, { headers: bearer(token) })).status).toBe(503);
				const json = { 'content-type': 'application/json' };
				const answers = [
					await hit(ME, { headers: own }),
					await sendCode(fixture.server, newAddress(), own),
					await hit(SEND, { method: 'POST', body: '{', headers: { ...client, ...json } }),
					await hit(SEND, { json: { email: 'x'.repeat(100_000) }, headers: client }),
					await hit(SEND, { json: {}, headers: { ...client, origin: 'https://evil.example' } })
				];
				for (const answer of answers) {
					expect([answer.status, answer.json()]).toEqual([429, REFUSED]);
					expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/);
				}
			} finally {
				await fixture.database.rows('alter table session_gone rename to session');
			}
		});
	},
	{},
	{ alone: true }
);

// The address that the framework’s adapter would read instead must have no effect.
onOneServer(
	(fixture) => {
		test('J01 J09 with AUTH_TRUSTED_PROXIES=none no header is trusted: 130 claimed addresses are one client', async () => {
			const claims = await toolsOf(fixture).hits(130, (i) => ({
				headers: {
					'x-forwarded-for': `203.0.${i >> 8}.${i & 255}`,
					'x-real-ip': `198.18.${i >> 8}.${i & 255}`,
					'x-client': `198.19.${i >> 8}.${i & 255}`
				}
			}));
			expect(claims).toEqual({ 200: 100, 429: 30 });
		});
	},
	{ AUTH_TRUSTED_PROXIES: 'none', ADDRESS_HEADER: 'x-client', XFF_DEPTH: '3' }
);
