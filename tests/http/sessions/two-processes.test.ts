import { randomInt } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { askByCode, askByLink, rowsOf, settled } from '../../support/http/account.ts';
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
	untilServed,
	verifyCode,
	wrongCode,
	SEND,
	type Answer
} from '../../support/http/client.ts';
import { onBothDatabases, present, testOn } from '../../support/http/fixtures.ts';
import { revocation } from './revocation.cases.ts';

/** The items in random order. */
const shuffled = <T>(items: readonly T[]): T[] => {
	const rest = [...items];
	return items.map(() => present(rest.splice(randomInt(rest.length), 1)[0]));
};

onBothDatabases(
	(fixture) => {
		const both = (index: number) => (index % 2 === 0 ? fixture.server : fixture.other);
		const servers = () => [fixture.server, fixture.other];
		const shiftBoth = async (seconds: number): Promise<void> => {
			for (const server of servers()) await server.shiftClock(seconds);
		};
		const codeOf = (answer: Answer): string => (answer.json() as { code: string }).code;

		const statusesOf = (answers: readonly Answer[]) => tally(answers.map(({ status }) => status));

		afterEach(() => shiftBoth(0));

		test('A01 A02 the right code among 199 wrong ones in any order over two processes wins no more often than five guesses allow (CVE-2019-5421)', async () => {
			let won = 0;
			for (let round = 0; round < rounds(1, 400); round += 1) {
				const email = newAddress();
				const code = await freshCode(both(round), email);
				const guesses = shuffled(times(200, (i) => wrongCode(code, i)));
				let unserved = 0;
				const enter = async (guess: string, index: number): Promise<Answer> => {
					const answer = await verifyCode(both(index), email, guess);
					if (answer.status === 503) unserved += 1;
					return answer;
				};
				const answers = await Promise.all(
					guesses.map((guess, i) => untilServed(() => enter(guess, i)))
				);
				const right = present(answers[guesses.indexOf(code)]);
				const others = answers.filter((answer) => answer !== right);
				expect(statusesOf(others)[200]).toBeUndefined();
				if (right.status === 200) won += 1;
				else {
					expect(tally(answers.map(codeOf))).toEqual({ INVALID_OTP: 199, TOO_MANY_ATTEMPTS: 1 });
					const [throttle] = await rowsOf(fixture, 'auth_throttle', email);
					const counted = Number(throttle?.['wrong_codes']);
					expect(counted).toBeLessThanOrEqual(5);
					// Beside other load, a 503 can come between an attempt and its count here.
					expect(counted).toBeGreaterThanOrEqual(5 - unserved);
				}
				expect(await rowsOf(fixture, 'session', email)).toHaveLength(right.status === 200 ? 1 : 0);
				expect((await verifyCode(both(round + 1), email, code)).status).toBe(400);
			}
			// One in forty wins. Only the long form has enough rounds to tell.
			expect(won).toBeLessThanOrEqual(rounds(Infinity, 30));
		});

		testOn(fixture, 'SQLite')(
			'A09 with one of two processes killed during the guesses, both the other and the restarted one continue the count, and the 6th is refused',
			async () => {
				const email = newAddress();
				const code = await freshCode(fixture.server, email);
				const wrong = (server = fixture.server) => verifyCode(server, email, wrongCode(code));
				for (const server of [fixture.server, fixture.other, fixture.server]) {
					expect(codeOf(await wrong(server))).toBe('INVALID_OTP');
				}
				await fixture.server.crashAndRestart();
				expect(codeOf(await wrong(fixture.other))).toBe('INVALID_OTP');
				expect(codeOf(await wrong(fixture.server))).toBe('INVALID_OTP');
				const sixth = await verifyCode(fixture.other, email, code);
				expect([sixth.status, codeOf(sixth)]).toEqual([403, 'TOO_MANY_ATTEMPTS']);
				expect((await verifyCode(fixture.server, email, code)).status).toBe(400);
				expect(await rowsOf(fixture, 'user', email)).toEqual([]);
			}
		);

		testOn(fixture, 'PostgreSQL')(
			'B05 B13 concurrent requests for codes to sign in, to verify and to change an address over two processes: five in total are sent',
			async () => {
				for (let round = 0; round < rounds(1, 40); round += 1) {
					const email = newAddress('new');
					const people = [await signIn(fixture.server), await signIn(fixture.other)];
					const answers = await Promise.all(
						times(40, (i) => {
							const server = both(i);
							const headers = bearer(present(people[(i >> 1) % 2]).token);
							const kinds: readonly (() => Promise<Answer>)[] = [
								() => sendCode(server, email),
								() => call(server, SEND, { json: { email, type: 'email-verification' } }),
								() => askByCode(server, headers, email),
								() => askByLink(server, headers, email)
							];
							return untilServed(present(kinds[(i >> 1) % 4]));
						})
					);
					expect(statusesOf(answers)).toEqual({ 200: 5, 429: 35 });
					for (const server of servers()) await settled(server);
					const allowed = (...kinds: readonly number[]): number =>
						answers.filter(({ status }, i) => status === 200 && kinds.includes((i >> 1) % 4))
							.length;
					expect(fixture.server.codesSentTo(email)).toBe(allowed(0));
					// A verification code for an address without an account is counted, and not sent.
					expect(fixture.server.mailsSentTo('email-verification code', email)).toBe(0);
					const changes =
						fixture.server.mailsSentTo('email-change code', email) +
						fixture.server.mailsSentTo('email-change link', email);
					// A request that another one overtook stores no email, because its code would not work.
					expect(changes).toBeLessThanOrEqual(allowed(2, 3));
					expect(changes).toBeGreaterThanOrEqual(Math.min(1, allowed(2, 3)));
					expect((await sendCode(both(round), email)).status).toBe(429);
				}
			}
		);

		describe('what ends in one process', () => revocation(fixture));
	},
	{ processes: 2, alone: true }
);
