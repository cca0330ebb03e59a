import { randomInt } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import {
	askByCode,
	askByLink,
	askOnPage,
	changeByCode,
	fromPage,
	REVOKE,
	rowsOf,
	settled
} from '../../support/http/account.ts';
import { openBrowser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	pairOf,
	rounds,
	sendCode,
	signIn,
	tally,
	times,
	untilServed,
	verifyCode,
	whoIs,
	wrongCode,
	ME,
	SEND,
	type Answer
} from '../../support/http/client.ts';
import { onBothDatabases, present, testOn } from '../../support/http/fixtures.ts';
import { SESSION } from '../../support/http/cookie-jar.ts';
import { revocation } from './revocation.cases.ts';

const DAY = 86_400;
const DEVICE = 'postern_device';

/** The same items in random order. */
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
				const answers = await Promise.all(
					guesses.map((guess, i) => untilServed(() => verifyCode(both(i), email, guess)))
				);
				const right = present(answers[guesses.indexOf(code)]);
				const others = answers.filter((answer) => answer !== right);
				expect(statusesOf(others)[200]).toBeUndefined();
				if (right.status === 200) won += 1;
				else {
					expect(tally(answers.map(codeOf))).toEqual({ INVALID_OTP: 199, TOO_MANY_ATTEMPTS: 1 });
					const [throttle] = await rowsOf(fixture, 'auth_throttle', email);
					expect(Number(throttle?.['failures'])).toBe(5);
				}
				expect(await rowsOf(fixture, 'session', email)).toHaveLength(right.status === 200 ? 1 : 0);
				expect((await verifyCode(both(round + 1), email, code)).status).toBe(400);
			}
			// One in forty wins. Only the long form has enough rounds to tell.
			expect(won).toBeLessThanOrEqual(rounds(Infinity, 30));
		});

		test('A03 the right code of an account four times concurrently over two processes, repeatedly: one session each', async () => {
			// With so few, all are compared, concurrently in both processes.
			for (let round = 0; round < rounds(2, 200); round += 1) {
				const { email } = await signIn(both(round));
				const code = await freshCode(both(round + 1), email);
				const answers = await Promise.all(
					times(4, (i) => untilServed(() => verifyCode(both(i), email, code)))
				);
				expect(statusesOf(answers)).toEqual({ 200: 1, 400: 3 });
				expect(await rowsOf(fixture, 'session', email)).toHaveLength(2);
			}
		});

		testOn(fixture, 'SQLite')(
			'A04 five browsers enter their right codes for a new address concurrently over two processes: one account, one consent, one welcome',
			async () => {
				for (let round = 0; round < rounds(1, 80); round += 1) {
					const email = newAddress();
					const entries: { enter: () => Promise<Answer>; whose: () => Promise<unknown> }[] = [];
					for (const server of times(5, both)) {
						const browser = openBrowser(server);
						const before = server.codesSentTo(email);
						const page = await askOnPage(browser, email, '/auth/sign-up', { consent: 'on' });
						const code = await server.codeFor(email, before + 1);
						entries.push({
							enter: () => browser.submit(page, '?/verify', { code }),
							whose: () => whoIs(server, { cookie: browser.cookies() })
						});
					}
					const answers = await Promise.all(entries.map(({ enter }) => enter()));
					expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(
						times(5, () => [303, '/app'])
					);
					expect(await Promise.all(entries.map(({ whose }) => whose()))).toEqual(
						times(5, () => email)
					);
					expect(await rowsOf(fixture, 'user', email)).toHaveLength(1);
					expect(await rowsOf(fixture, 'session', email)).toHaveLength(5);
					const [data, ...more] = await rowsOf(fixture, 'user_data', email);
					expect([Boolean(data?.['marketing_opt_in']), more]).toEqual([true, []]);
					for (const server of servers()) await settled(server);
					expect(fixture.server.mailsSentTo('welcome mail', email)).toBe(1);
				}
			}
		);

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

		testOn(fixture, 'SQLite')(
			'K06 ten concurrent requests for changes over two processes: one is pending, and it sets the address it was emailed to',
			async () => {
				for (let round = 0; round < rounds(1, 100); round += 1) {
					const person = await signIn(both(round));
					const { user } = present(await me(both(round), bearer(person.token)));
					const targets = times(10, () => newAddress('target'));
					const asked = await Promise.all(
						targets.map((to, i) => askByCode(both(i), bearer(person.token), to))
					);
					expect(statusesOf(asked)).toEqual({ 200: 10 });
					const waiting = await fixture.database.rows(
						`select email from verification where binding = '${String(user['id'])}'`
					);
					expect(waiting).toHaveLength(1);
					await fixture.server.changeCodeFor(String(waiting[0]?.['email']));
					const moved: string[] = [];
					for (const [i, to] of targets.entries()) {
						// A request that another one overtook stores no email, because its code would not work.
						if (fixture.server.mailsSentTo('email-change code', to) === 0) continue;
						const code = await fixture.server.changeCodeFor(to);
						const answer = await changeByCode(both(i), bearer(person.token), to, code);
						if (answer.status === 200) moved.push(to);
						else expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_OTP']);
					}
					expect(moved).toEqual(waiting.map(({ email }) => email));
					expect(await whoIs(both(round), bearer(person.token))).toBe(moved[0]);
				}
			}
		);

		testOn(fixture, 'PostgreSQL')(
			'E10 a day later 40 concurrent uses over two processes are all answered, and one extends the session by 60 days',
			async () => {
				for (let round = 0; round < rounds(1, 60); round += 1) {
					await shiftBoth(0);
					const { cookie, token, email } = await signIn(both(round));
					await shiftBoth(DAY + 1);
					const answers = await Promise.all(
						times(40, (i) => untilServed(() => call(both(i), ME, { headers: { cookie } })))
					);
					expect(answers.filter(({ status, text }) => status !== 200 || text === 'null')).toEqual(
						[]
					);
					const renewals = answers.flatMap(({ setCookies }) =>
						setCookies.map(pairOf).filter(([name]) => name === SESSION)
					);
					expect(renewals).toEqual([[SESSION, token]]);
					for (const server of servers()) {
						const { session, user } = present(await me(server, bearer(token)));
						const [from, until] = [session['updatedAt'], session['expiresAt']].map(String);
						expect(Date.parse(present(until)) - Date.parse(present(from))).toBe(60 * DAY * 1000);
						expect(user['email']).toBe(email);
					}
				}
			}
		);

		testOn(fixture, 'PostgreSQL')(
			'T06 tabs over two processes refresh an older session together: one gives the browser its key, and a session that ends meanwhile leaves no device',
			async () => {
				const keysIn = (answers: readonly Answer[]): string[] =>
					answers.flatMap(({ setCookies }) =>
						setCookies.map(pairOf).flatMap(([name, value]) => (name === DEVICE ? [value] : []))
					);
				for (let round = 0; round < rounds(1, 100); round += 1) {
					await shiftBoth(0);
					const { email, cookie } = await signIn(both(round));
					const lost = await signIn(both(round + 1), email);
					const handle = present(await me(both(round), bearer(lost.token))).session['token'];
					await shiftBoth(DAY + 1);
					const tab = (of: string) => (i: number) =>
						untilServed(() => call(both(i), ME, { headers: { cookie: of } }));
					const [answers, others, ended] = await Promise.all([
						Promise.all(times(8, tab(cookie))),
						Promise.all(times(4, tab(lost.cookie))),
						untilServed(() =>
							call(both(round), REVOKE, {
								json: { token: handle },
								headers: fromPage(both(round), cookie)
							})
						)
					]);
					expect(answers.map(({ text }) => text.includes(email))).toEqual(times(8, () => true));
					const keys = keysIn([...answers, ended]);
					expect([ended.status, keys.length]).toEqual([200, 1]);
					expect(keysIn(others).length).toBeLessThanOrEqual(1);
					expect(await rowsOf(fixture, 'device', email)).toHaveLength(1);
					await Promise.all(times(5, (i) => sendCode(both(i), email)));
					const known = { cookie: `${DEVICE}=${present(keys[0])}` };
					expect((await sendCode(both(round), email)).status).toBe(429);
					expect((await sendCode(both(round), email, known)).status).toBe(200);
				}
			}
		);

		describe('what ends in one process', () => revocation(fixture));
	},
	{ processes: 2, alone: true }
);
