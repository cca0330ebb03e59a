import { expect, test } from 'vitest';
import {
	bearer,
	call,
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
import { onOneServer, type Fixture } from '../../support/http/fixtures.ts';

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
