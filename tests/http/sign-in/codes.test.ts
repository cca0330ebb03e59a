import { afterEach, expect, test } from 'vitest';
import {
	call,
	freshCode,
	inBatches,
	newAddress,
	rounds,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	whoIs,
	wrongCode,
	VERIFY,
	type Answer
} from '../../support/http/client.ts';
import {
	onBothDatabases,
	onBothInLongForm,
	present,
	type Fixture
} from '../../support/http/fixtures.ts';
import type { BuiltServer } from '../../support/process/built-server.ts';

const codeOf = (answer: Answer): string => String((answer.json() as { code?: unknown }).code);
const isClean4xx = (answer: Answer): boolean =>
	[400, 401, 403, 404, 405, 413, 415, 422, 429].includes(answer.status) &&
	answer.text.length < 1024 &&
	Object.keys(answer.json() as object).join() === 'message,code' &&
	!/\n\s+at |\/src\/|\/build\/|node_modules|select |insert /i.test(answer.text);

const bothOf =
	(fixture: Fixture) =>
	(index: number): BuiltServer =>
		index % 2 === 0 ? fixture.server : fixture.other;

/** Counts the rows of an email address. */
const rowsIn =
	(fixture: Fixture) =>
	async (table: string, email: string): Promise<number> => {
		const [row] = await fixture.database.rows(
			table === 'session'
				? `select count(*) as n from session s join "user" u on u.id = s.user_id where u.email = '${email}'`
				: `select count(*) as n from "${table}" where email = '${email}'`
		);
		return Number(row?.['n']);
	};

onBothInLongForm(
	(fixture) => {
		const both = bothOf(fixture);
		const rowsOf = rowsIn(fixture);
		const attemptsOf = async (email: string): Promise<number> => {
			const rows = await fixture.database.rows(
				`select attempts from verification where email = '${email}'`
			);
			return Number(present(rows[0])['attempts']);
		};

		afterEach(async () => {
			await fixture.server.shiftClock(0);
		});

		test('A01 the 5th attempt may still be right, the 6th may not', async () => {
			const lucky = newAddress();
			const code = await freshCode(fixture.server, lucky);
			for (let guess = 1; guess <= 4; guess += 1) {
				expect(codeOf(await verifyCode(both(guess), lucky, wrongCode(code, guess)))).toBe(
					'INVALID_OTP'
				);
			}
			expect((await verifyCode(fixture.other, lucky, code)).status).toBe(200);

			const late = newAddress();
			const other = await freshCode(fixture.server, late);
			for (let guess = 1; guess <= 5; guess += 1) {
				await verifyCode(both(guess), late, wrongCode(other, guess));
			}
			const sixth = await verifyCode(fixture.other, late, other);
			expect([sixth.status, sixth.json()]).toEqual([
				403,
				{ message: 'Too many attempts', code: 'TOO_MANY_ATTEMPTS' }
			]);
			const seventh = await verifyCode(fixture.server, late, other);
			expect([seventh.status, codeOf(seventh)]).toEqual([400, 'INVALID_OTP']);
		});

		test('A08 after two requests over the API the first code is refused, the second accepted', async () => {
			const email = newAddress();
			const first = await freshCode(fixture.server, email);
			let second = await freshCode(fixture.server, email);
			if (second === first) second = await freshCode(fixture.server, email);
			expect(codeOf(await verifyCode(fixture.server, email, first))).toBe('INVALID_OTP');
			expect((await verifyCode(fixture.server, email, second)).status).toBe(200);
			expect(codeOf(await verifyCode(fixture.server, email, second))).toBe('INVALID_OTP');
		});

		test('A11 a code used for another address is refused and uses no attempt at its own (CVE-2023-26481, CVE-2026-9087)', async () => {
			const [requested, other] = [newAddress(), newAddress()];
			const code = await freshCode(fixture.server, requested);
			const others = await freshCode(fixture.server, other);
			if (code !== others) {
				expect(codeOf(await verifyCode(fixture.server, other, code))).toBe('INVALID_OTP');
				expect([await attemptsOf(requested), await attemptsOf(other)]).toEqual([0, 1]);
			}
			expect((await verifyCode(fixture.server, requested.toUpperCase(), code)).status).toBe(200);
		});

		test('A12 a code is accepted at 599 s and expired at 601 s, whatever guesses came between', async () => {
			const [inTime, late] = [newAddress(), newAddress()];
			const [codeInTime, lateCode] = [
				await freshCode(fixture.server, inTime),
				await freshCode(fixture.server, late)
			];
			await fixture.server.shiftClock(599);
			expect((await verifyCode(fixture.server, inTime, codeInTime)).status).toBe(200);
			expect(codeOf(await verifyCode(fixture.server, late, wrongCode(lateCode)))).toBe(
				'INVALID_OTP'
			);
			await fixture.server.shiftClock(601);
			const expired = await verifyCode(fixture.server, late, lateCode, {
				date: new Date(0).toUTCString()
			});
			expect([expired.status, expired.json()]).toEqual([
				400,
				{ message: 'OTP expired', code: 'OTP_EXPIRED' }
			]);
		});

		test('A13 a value that is not a string is 400 and uses no attempt (CVE-2013-0233)', async () => {
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			const values = [Number(code), [code], { $ne: '' }, null, true, undefined, {}, 1e300];
			for (const value of values) {
				const answer = await verifyCode(fixture.server, email, value);
				expect([answer.status, codeOf(answer), value]).toEqual([400, 'VALIDATION_ERROR', value]);
			}
			expect(await attemptsOf(email)).toBe(0);
		});

		test('A13 A14 strings of another length than a code are refused and use no attempt', async () => {
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			const values = [
				...['', ' ', code.slice(1), `${code}0`, `${code}${code}`, 'abcdef', '\0', '-1', '1e5'],
				...['٠٠٠٠٠٠', 'null', '0x1e240', "' or '1'='1", '9'.repeat(10_000)]
			];
			for (const value of values) {
				const answer = await verifyCode(fixture.server, email, value);
				expect([answer.status, codeOf(answer), value]).toEqual([400, 'INVALID_OTP', value]);
			}
			expect(await attemptsOf(email)).toBe(0);
		});

		test('A13 characters that a code cannot contain are ignored', async () => {
			const spellings: readonly ((code: string) => string)[] = [
				(code) => ` ${code.slice(0, 3)} ${code.slice(3)}\n`,
				(code) => `+${code}`,
				(code) => `Your code: ${code}.`,
				(code) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
			];
			for (const spell of spellings) {
				const email = newAddress();
				const code = await freshCode(fixture.server, email);
				expect((await verifyCode(fixture.server, email, spell(code))).status).toBe(200);
			}
		});

		test('A13 a code keeps its leading zeros', async () => {
			for (let tries = 0; tries < 400; tries += 1) {
				const email = newAddress();
				const code = await freshCode(fixture.server, email);
				if (!code.startsWith('0')) continue;
				expect(code).toMatch(/^\d{6}$/);
				expect((await verifyCode(fixture.server, email, String(Number(code)))).status).toBe(400);
				expect(await attemptsOf(email)).toBe(0);
				expect((await verifyCode(fixture.server, email, code)).status).toBe(200);
				return;
			}
			expect.fail('no code began with a zero');
		});

		test('A13 a code of 10 MB is 413', async () => {
			const email = newAddress();
			await freshCode(fixture.server, email);
			const body = JSON.stringify({ email, otp: '1'.repeat(10_000_000) });
			const answer = await call(fixture.server, VERIFY, {
				method: 'POST',
				body,
				headers: { 'content-type': 'application/json' }
			});
			expect(answer.status).toBe(413);
			expect(await attemptsOf(email)).toBe(0);
		});

		test('A14 a request without address or code, or with a missing field, is refused (CVE-2026-49443, CVE-2026-54730)', async () => {
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			for (const [body, expected] of [
				[{}, 'VALIDATION_ERROR'],
				[{ email }, 'VALIDATION_ERROR'],
				[{ otp: code }, 'VALIDATION_ERROR'],
				[{ email: '', otp: code }, 'INVALID_OTP'],
				[{ email: '', otp: '' }, 'INVALID_OTP'],
				[{ email, otp: '' }, 'INVALID_OTP']
			] as const) {
				const answer = await call(fixture.server, VERIFY, { json: body });
				expect([answer.status, codeOf(answer), body]).toEqual([400, expected, body]);
			}
			expect(await attemptsOf(email)).toBe(0);
		});

		test('A14 no code matches a row with an empty or mangled hash (CVE-2019-16109)', async () => {
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			for (const hash of ['', 'x', '$argon2id$', code]) {
				await fixture.database.rows(
					`update verification set hash = '${hash}', attempts = 0 where email = '${email}'`
				);
				for (const otp of ['', '000000', code]) {
					const answer = await verifyCode(fixture.server, email, otp);
					expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_OTP']);
				}
			}
			expect(await rowsOf('user', email)).toBe(0);
		});

		test('B03 after 5 sends the 6th is refused at 899 s and sent at 901 s, and no 10 are ever sent within 15 minutes', async () => {
			const email = newAddress();
			for (let send = 0; send < 5; send += 1) await freshCode(fixture.server, email);
			await fixture.server.shiftClock(899);
			const refused = await sendCode(fixture.server, email);
			expect(refused.status).toBe(429);
			expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(2);
			await fixture.server.shiftClock(901);
			const again = await inBatches(times(10, String), 10, () => sendCode(fixture.server, email));
			expect(tally(again.map(({ status }) => status))).toEqual({ 200: 5, 429: 5 });
			await fixture.server.shiftClock(901 + 899);
			expect((await sendCode(fixture.server, email)).status).toBe(429);
		});

		test('B03 the window slides: each send leaves it on its own', async () => {
			const email = newAddress();
			for (let send = 0; send < 5; send += 1) {
				await fixture.server.shiftClock(send * 100);
				await freshCode(fixture.server, email);
			}
			await fixture.server.shiftClock(901);
			expect((await sendCode(fixture.server, email)).status).toBe(200);
			const next = await sendCode(fixture.server, email);
			expect(next.status).toBe(429);
			expect(Number(next.headers['retry-after'])).toBeGreaterThan(90);
			expect(Number(next.headers['retry-after'])).toBeLessThanOrEqual(100);
		});

		test('B04 I04 I05 every spelling of an address shares one bucket and one account', async () => {
			const local = newAddress('spelling').split('@')[0];
			const spellings = [
				`${local}@bücher.example`,
				`${local?.toUpperCase()}@BÜCHER.Example`,
				`  ${local}@bücher.example `,
				`${local}@xn--bcher-kva.example`,
				`${local}@ｂücher.example`
			];
			for (const email of spellings) {
				const answer = await sendCode(fixture.server, email);
				expect([answer.status, email]).toEqual([200, email]);
			}
			expect((await sendCode(fixture.server, present(spellings[0]))).status).toBe(429);

			const canonical = `${local}@xn--bcher-kva.example`;
			const code = await fixture.server.codeFor(canonical, 5);
			const answer = await verifyCode(fixture.server, present(spellings[1]), code);
			const { token } = answer.json() as { token: string };
			expect(await whoIs(fixture.server, { authorization: `Bearer ${token}` })).toBe(canonical);
		});
	},
	{ processes: 2 }
);

onBothDatabases(
	(fixture) => {
		const both = bothOf(fixture);
		const rowsOf = rowsIn(fixture);

		test('A01 of 200 concurrent wrong guesses over two processes at most 5 are compared, and then the right code is refused (CVE-2019-5421)', async () => {
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			const answers = await Promise.all(
				times(200, (i) => verifyCode(both(i), email, wrongCode(code, i + 1)))
			);
			expect(answers.filter((answer) => !isClean4xx(answer))).toEqual([]);
			expect(tally(answers.map(codeOf))).toEqual({ INVALID_OTP: 199, TOO_MANY_ATTEMPTS: 1 });
			const [throttle] = await fixture.database.rows(
				`select failures from auth_throttle where email = '${email}'`
			);
			expect(Number(throttle?.['failures'])).toBe(5);

			expect((await verifyCode(fixture.server, email, code)).status).toBe(400);
			expect((await verifyCode(fixture.other, email, code)).status).toBe(400);
			expect(await rowsOf('user', email)).toBe(0);
		});

		test.each([
			'A03 of an existing user (GHSA-hc7v-rggr-4hvx, GHSA-hc7v-x88r-fmh4, GHSA-7w99-5wm4-3g79, GHSA-392p-2q2v-4372, supabase/auth#2612, HackerOne#3692149, HackerOne#3695625, CVE-2015-7225, CVE-2021-43177)',
			'A04 of a new address (GHSA-g38m-r43w-p2q7)'
		])(
			'%s: the right code 50 times concurrently over two processes opens one session and creates at most one user',
			async (title) => {
				const email = newAddress();
				const known = title.startsWith('A03');
				if (known) await signIn(fixture.server, email);
				const sessions = await rowsOf('session', email);
				const code = await freshCode(fixture.other, email);
				const answers = await Promise.all(times(50, (i) => verifyCode(both(i), email, code)));

				const winners = answers.filter(({ status }) => status === 200);
				const losers = answers.filter(({ status }) => status !== 200);
				expect(winners).toHaveLength(1);
				expect(losers.filter((answer) => !isClean4xx(answer))).toEqual([]);
				expect(losers.filter(({ setCookies }) => setCookies.length > 0)).toEqual([]);
				expect(await rowsOf('session', email)).toBe(sessions + 1);
				expect(await rowsOf('user', email)).toBe(1);
				const data = await fixture.database.rows(
					`select user_id from user_data join "user" on id = user_id where email = '${email}'`
				);
				expect(data).toHaveLength(1);
			}
		);

		test('A05 a right code never loses to a concurrent wrong guess', async () => {
			const lost: number[] = [];
			for (let round = 0; round < rounds(6, 500); round += 1) {
				const email = newAddress();
				const code = await freshCode(fixture.server, email);
				const [wrong, right] = await Promise.all([
					verifyCode(both(round), email, wrongCode(code)),
					verifyCode(both(round + 1), email, code)
				]);
				if (right.status !== 200) lost.push(round);
				expect(wrong.status).toBe(400);
			}
			expect(lost).toEqual([]);
		});

		test('A07 a code superseded during a guess never becomes valid again; the newest works', async () => {
			for (let round = 0; round < rounds(6, 500); round += 1) {
				const email = newAddress();
				const first = await freshCode(fixture.server, email);
				const wrong = wrongCode(first);
				const [, second] = await Promise.all([
					verifyCode(fixture.other, email, wrong),
					freshCode(fixture.server, email)
				]);
				// The chance is one in a million: then the two codes are equal.
				if (second === first || second === wrong) continue;
				expect((await verifyCode(both(round), email, first)).status).toBe(400);
				expect((await verifyCode(both(round + 1), email, second)).status).toBe(200);
			}
		});

		test('B01 of 100 concurrent requests over two processes exactly 5 codes are sent, 95 get Retry-After of at most 900 s (CVE-2024-1722)', async () => {
			const email = newAddress();
			const answers = await Promise.all(times(100, (i) => sendCode(both(i), email)));
			expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 5, 429: 95 });
			for (const answer of answers.filter(({ status }) => status === 429)) {
				expect(answer.json()).toEqual({
					message: 'Too many requests. Please try again later.',
					code: 'TOO_MANY_REQUESTS'
				});
				const wait = answer.headers['retry-after'];
				expect(wait).toMatch(/^[1-9]\d*$/);
				expect(Number(wait)).toBeLessThanOrEqual(900);
				expect(answer.headers['x-retry-after']).toBe(wait);
			}
			// Log lines are in order, so after these two no line of the hundred is still to come.
			for (const server of [fixture.server, fixture.other]) await freshCode(server, newAddress());
			expect(fixture.server.codesSentTo(email) + fixture.other.codesSentTo(email)).toBe(5);
		});
	},
	{ processes: 2 }
);
