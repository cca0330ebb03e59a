import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { createTimedDatabase } from '../../support/postgres/time.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	rounds,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	wrongCode,
	ME,
	type Answer
} from '../../support/http/client.ts';
import { changeByCode, changeCode } from '../../support/http/email-change.ts';
import { present } from '../../support/http/fixtures.ts';
import { dropDatabase } from '../../support/postgres/cluster.ts';

const DAY = 86_400;

// A default of the database applies to every connection that does not override it. Under these
// isolation levels, the loser of a race fails with an error.
describe.each(['serializable', 'repeatable read'].slice(0, rounds(1, 2)))(
	'two processes on a PostgreSQL whose default is %s',
	(level) => {
		const servers: BuiltServer[] = [];
		let url = '';
		const both = (index: number): BuiltServer => present(servers[index % 2]);
		const statusesOf = (answers: readonly Answer[]) => tally(answers.map(({ status }) => status));

		beforeAll(async () => {
			url = await createTimedDatabase(inject('postgresUrl'));
			const admin = postgres(url, { max: 1, onnotice: () => {} });
			const name = new URL(url).pathname.slice(1);
			await admin.unsafe(`alter database "${name}" set default_transaction_isolation = '${level}'`);
			await admin.end();
			for (let number = 0; number < 2; number += 1) {
				servers.push(await startBuiltServer({ databaseUrl: url }));
			}
		});
		afterAll(async () => {
			for (const server of servers) await server.stop();
			await dropDatabase(inject('postgresUrl'), url);
		});

		test('B02 100 concurrent requests: exactly 5 codes are sent, 95 get Retry-After, and none fails', async () => {
			for (let round = 0; round < rounds(1, 30); round += 1) {
				const email = newAddress();
				const answers = await Promise.all(times(100, (i) => sendCode(both(i), email)));
				expect(statusesOf(answers)).toEqual({ 200: 5, 429: 95 });
				// Log lines are in order, so after these two no line of the hundred is still to come.
				for (const server of servers) await freshCode(server, newAddress());
				expect(both(0).codesSentTo(email) + both(1).codesSentTo(email)).toBe(5);
			}
		});

		test('B02 A01 A03 concurrent guesses and right codes: five guesses are compared, one code is used once, and none fails', async () => {
			for (let round = 0; round < rounds(1, 30); round += 1) {
				const guessed = newAddress();
				const code = await freshCode(both(round), guessed);
				const guesses = await Promise.all(
					times(100, (i) => verifyCode(both(i), guessed, wrongCode(code, i + 1)))
				);
				expect(statusesOf(guesses)).toEqual({ 400: 99, 403: 1 });

				const { email } = await signIn(both(round));
				const right = await freshCode(both(round), email);
				const uses = await Promise.all(times(50, (i) => verifyCode(both(i), email, right)));
				const { 200: used, 400: refused = 0, 403: late = 0, ...others } = statusesOf(uses);
				expect([used, refused + late, others]).toEqual([1, 49, {}]);
			}
		});

		test('B02 E10 K07 concurrent refreshes of one session, and moves to one address: one each, and none fails', async () => {
			for (let round = 0; round < rounds(2, 60); round += 1) {
				const people = [await signIn(both(0)), await signIn(both(1))];
				const to = newAddress('new');
				const codes: string[] = [];
				for (const [i, person] of people.entries())
					codes.push(await changeCode(both(i), person, to));
				const moves = await Promise.all(
					people.map(({ token }, i) => changeByCode(both(i), bearer(token), to, codes[i]))
				);
				expect(statusesOf(moves)).toEqual({ 200: 1, 400: 1 });
				const loser = present(moves.find(({ status }) => status === 400));
				expect((loser.json() as { code: string }).code).toBe('EMAIL_ALREADY_IN_USE');

				for (const server of servers) await server.shiftClock(DAY + 1);
				const { cookie } = present(people[round % 2]);
				const uses = await Promise.all(
					times(50, (i) => call(both(i), ME, { headers: { cookie } }))
				);
				for (const server of servers) await server.shiftClock(0);
				expect(statusesOf(uses)).toEqual({ 200: 50 });
				const renewed = uses.filter(({ setCookies }) =>
					setCookies.some((line) => line.startsWith('postern_session='))
				);
				expect(renewed).toHaveLength(1);
			}
		});
	}
);
