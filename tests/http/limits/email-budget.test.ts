import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	newAddress,
	provingCall,
	SEND,
	signIn,
	tally
} from '../../support/http/client.ts';
import { onBothDatabases } from '../../support/http/fixtures.ts';

// 8 emails an hour for two processes: unknown clients share 6, and prove work once 5 are used.

describe('EMAIL_BUDGET', () => {
	onBothDatabases(
		(fixture) => {
			const both = (turn: number) => (turn % 2 === 0 ? fixture.server : fixture.other);

			test('S20 S25 is exact over two processes, and known devices use what unknown clients leave', async () => {
				// A code, and a welcome email after the response.
				const { email, token } = await signIn(fixture.server);
				const counted = "select sum(count) as sum from site_count where key = 'emails'";
				await expect
					.poll(async () => Number((await fixture.database.rows(counted))[0]?.['sum']))
					.toBe(2);
				const burst = await Promise.all(
					Array.from({ length: 20 }, (_, turn) =>
						call(both(turn), SEND, { json: { email: newAddress() } })
					)
				);
				const { 200: sent = 0, ...refused } = tally(burst.map(({ status }) => status));
				expect([3, 4]).toContain(sent);
				expect(Object.keys(refused).every((status) => status === '403' || status === '503')).toBe(
					true
				);

				let proven = 0;
				let last;
				do {
					last = await provingCall(both(proven), SEND, { json: { email: newAddress() } });
					if (last.status === 200) proven += 1;
				} while (last.status === 200);
				expect(sent + proven).toBe(4);
				expect([last.status, last.json()]).toEqual([
					503,
					{ code: 'EMAIL_NOT_SENT', message: expect.any(String) }
				]);
				const wait = Number(last.headers['retry-after']);
				expect(wait > 0 && wait <= 3600).toBe(true);

				const browser = openBrowser(fixture.other);
				const page = await browser.open('/auth/sign-in');
				const answer = await browser.submit(page, 'request', { email: newAddress() });
				expect([answer.status, Number(answer.headers['retry-after']) <= 3600]).toEqual([503, true]);
				expect(answer.text).toContain('We can’t send more emails right now.');

				const known = [];
				for (let turn = 0; turn < 3; turn += 1) {
					const options = { json: { email }, headers: bearer(token) };
					known.push((await call(both(turn), SEND, options)).status);
				}
				expect(known).toEqual([200, 200, 503]);
			});
		},
		{ processes: 2, env: { EMAIL_BUDGET: '8' } }
	);
});
