import { afterEach, expect, test } from 'vitest';
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
	verifyCode,
	whoIs,
	wrongCode,
	API,
	SEND,
	type Answer,
	shown
} from '../../support/http/client.ts';
import {
	accountAt,
	changeByCode,
	changeCode,
	isThrottled,
	refusal,
	settled,
	waitingFor,
	CHECK,
	VERIFY_EMAIL
} from '../../support/http/email-change.ts';
import {
	onBothDatabases,
	onBothInLongForm,
	present,
	type Fixture
} from '../../support/http/fixtures.ts';

const INVALID_OTP = [400, 'INVALID_OTP'] as const;
const WRONG = { message: 'Invalid OTP', code: 'INVALID_OTP' };
const TYPES = ['sign-in', 'email-verification'] as const;

const helpersOf = (fixture: Fixture) => {
	const sendVerification = (email: string, headers = {}): Promise<Answer> =>
		call(fixture.server, SEND, { json: { email, type: 'email-verification' }, headers });
	const verificationCode = async (email: string): Promise<string> => {
		const before = fixture.server.mailsSentTo('email-verification code', email);
		expect((await sendVerification(email)).status).toBe(200);
		return fixture.server.verificationCodeFor(email, before + 1);
	};
	const check = (
		email: unknown,
		otp: unknown,
		type: unknown = 'email-verification',
		server = fixture.server
	): Promise<Answer> => call(server, CHECK, { json: { email, type, otp } });
	const verifyEmail = (
		email: unknown,
		otp: unknown,
		headers = {},
		server = fixture.server
	): Promise<Answer> => call(server, VERIFY_EMAIL, { json: { email, otp }, headers });
	/** A valid code of a type, for a user with an account. */
	const codeOfType = async (
		type: (typeof TYPES)[number]
	): Promise<{ readonly email: string; readonly code: string }> => {
		const { email } = await signIn(fixture.server);
		const code = await (type === 'sign-in'
			? freshCode(fixture.server, email)
			: verificationCode(email));
		return { email, code };
	};
	return { sendVerification, verificationCode, check, verifyEmail, codeOfType };
};

onBothInLongForm(
	(fixture) => {
		const { sendVerification, verificationCode, check, verifyEmail, codeOfType } =
			helpersOf(fixture);

		afterEach(async () => {
			await fixture.server.shiftClock(0);
		});

		test('verify-email returns the user, once, and opens no session', async () => {
			const person = await signIn(fixture.server);
			const code = await verificationCode(person.email);
			const before = await fixture.database.rows('select * from session');
			const { user } = present(await me(fixture.server, bearer(person.token)));
			const answer = await verifyEmail(
				` ${person.email.toUpperCase()}`,
				`${code.slice(0, 3)} ${code.slice(3)}`
			);
			expect([answer.status, answer.json()]).toEqual([200, { status: true, token: null, user }]);
			expect(user['emailVerified']).toBe(true);
			expect(answer.setCookies).toEqual([]);
			expect(answer.headers['set-auth-token']).toBeUndefined();
			expect(await fixture.database.rows('select * from session')).toEqual(before);
			const again = await verifyEmail(person.email, code);
			expect([again.status, again.json()]).toEqual([400, WRONG]);
		});

		test('verify-email does not affect the caller’s session, for any account', async () => {
			const [person, other] = [await signIn(fixture.server), await signIn(fixture.server)];
			const code = await verificationCode(person.email);
			const answer = await verifyEmail(person.email, code, {
				cookie: other.cookie,
				origin: fixture.server.address
			});
			expect((answer.json() as { user: { email: string } }).user.email).toBe(person.email);
			expect(answer.setCookies.map((line) => pairOf(line)[0])).not.toContain('postern_session');
			expect(await whoIs(fixture.server, { cookie: other.cookie })).toBe(other.email);
		});

		test('only active accounts get a verification code', async () => {
			const person = await signIn(fixture.server);
			const deleted = await signIn(fixture.server);
			await call(fixture.server, `${API}/delete-user`, {
				json: {},
				headers: bearer(deleted.token)
			});
			const unknown = newAddress('unknown');
			for (const email of [person.email, deleted.email, unknown]) {
				const answer = await sendVerification(email);
				expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
			}
			await settled(fixture.server);
			expect(
				[person.email, deleted.email, unknown].map((email) =>
					fixture.server.mailsSentTo('email-verification code', email)
				)
			).toEqual([1, 0, 0]);
			expect(await accountAt(fixture.database, unknown)).toBeNull();
		});

		test('C04 known, deleted and unknown addresses get the same answers, to the byte: for the code, for wrong guesses and after them', async () => {
			const known = await signIn(fixture.server);
			const deleted = await signIn(fixture.server);
			await call(fixture.server, `${API}/delete-user`, {
				json: {},
				headers: bearer(deleted.token)
			});
			const emails = [newAddress('unknown'), known.email, deleted.email];
			const series = async (email: string, guess: typeof check): Promise<readonly object[]> => {
				await fixture.database.rows(`delete from auth_throttle where email = '${email}'`);
				const answers = [await sendVerification(email)];
				for (let turn = 1; turn <= 8; turn += 1) {
					answers.push(await guess(email, String(turn).repeat(6)));
				}
				return answers.map(shown);
			};
			for (const guess of [check, verifyEmail as typeof check]) {
				const unknown = await series(present(emails[0]), guess);
				expect(unknown.map((answer) => (answer as Answer).status)).toEqual([
					200,
					...[400, 400, 400, 400, 400, 403, 400, 400]
				]);
				for (const email of emails.slice(1)) expect(await series(email, guess)).toEqual(unknown);
			}
			expect(await whoIs(fixture.server, bearer(known.token))).toBe(known.email);
		});

		test('check-verification-otp accepts a right code without using it up, for addresses with and without an account', async () => {
			for (const { email, code, type } of [
				{ ...(await codeOfType('sign-in')), type: 'sign-in' },
				{ ...(await codeOfType('email-verification')), type: 'email-verification' }
			] as const) {
				for (let turn = 0; turn < 2; turn += 1) {
					const answer = await check(email.toUpperCase(), ` ${code}`, type);
					expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
					expect([answer.setCookies, answer.headers['set-auth-token']]).toEqual([[], undefined]);
				}
				const used = await (type === 'sign-in'
					? verifyCode(fixture.server, email, code)
					: verifyEmail(email, code));
				expect(used.status).toBe(200);
				expect(refusal(await check(email, code, type))).toEqual(INVALID_OTP);
			}
			const fresh = newAddress('fresh');
			const code = await freshCode(fixture.server, fresh);
			expect((await check(fresh, code, 'sign-in')).status).toBe(200);
			expect(await accountAt(fixture.database, fresh)).toBeNull();
			expect((await verifyCode(fixture.server, fresh, code)).status).toBe(200);
		});

		test.each(TYPES)(
			'A20 %s: every check costs one of the 5 attempts, right or wrong, and after five the code itself fails',
			async (type) => {
				const use = (email: string, code: string): Promise<Answer> =>
					type === 'sign-in' ? verifyCode(fixture.server, email, code) : verifyEmail(email, code);
				const lucky = await codeOfType(type);
				for (let turn = 0; turn < 4; turn += 1) {
					const otp = turn % 2 === 0 ? lucky.code : wrongCode(lucky.code, turn);
					expect((await check(lucky.email, otp, type)).status).toBe(turn % 2 === 0 ? 200 : 400);
				}
				expect(await waitingFor(fixture.database, lucky.email)).toEqual([
					[type === 'sign-in' ? 'sign_in' : 'email_verification', 4]
				]);
				expect((await use(lucky.email, lucky.code)).status).toBe(200);

				const late = await codeOfType(type);
				for (let turn = 0; turn < 5; turn += 1) {
					expect((await check(late.email, late.code, type)).status).toBe(200);
				}
				const sixth = await use(late.email, late.code);
				expect([sixth.status, sixth.json()]).toEqual([
					403,
					{ message: 'Too many attempts', code: 'TOO_MANY_ATTEMPTS' }
				]);
				expect(refusal(await check(late.email, late.code, type))).toEqual(INVALID_OTP);

				const checked = await codeOfType(type);
				for (let turn = 1; turn <= 5; turn += 1) {
					const answer = await check(checked.email, wrongCode(checked.code, turn), type);
					expect([answer.status, answer.json()]).toEqual([400, WRONG]);
				}
				expect(refusal(await check(checked.email, checked.code, type))).toEqual([
					403,
					'TOO_MANY_ATTEMPTS'
				]);
			}
		);

		test('A12 a verification code is accepted at 599 s and expired at 601 s, checked or used', async () => {
			const inTime = await codeOfType('email-verification');
			const late = await codeOfType('email-verification');
			await fixture.server.shiftClock(599);
			expect((await check(inTime.email, inTime.code)).status).toBe(200);
			expect((await verifyEmail(inTime.email, inTime.code)).status).toBe(200);
			await fixture.server.shiftClock(601);
			for (const expired of [
				await check(late.email, late.code),
				await verifyEmail(late.email, late.code)
			]) {
				expect([expired.status, expired.json()]).toEqual([
					400,
					{ message: 'OTP expired', code: 'OTP_EXPIRED' }
				]);
			}
		});

		test('A10 a code of one purpose is refused for every other without using an attempt, and still works for its own', async () => {
			const person = await signIn(fixture.server);
			const headers = bearer(person.token);
			const uses = {
				sign_in: (email: string, otp: string) => verifyCode(fixture.server, email, otp),
				email_verification: (email: string, otp: string) => verifyEmail(email, otp),
				email_change: (email: string, otp: string) =>
					changeByCode(fixture.server, headers, email, otp)
			} as const;
			const places = [
				['sign_in', uses.sign_in],
				['sign_in', (email: string, otp: string) => check(email, otp, 'sign-in')],
				['email_verification', (email: string, otp: string) => check(email, otp)],
				['email_verification', uses.email_verification],
				['email_change', uses.email_change]
			] as const;
			for (const purpose of ['sign_in', 'email_verification', 'email_change'] as const) {
				const { email, code } = await living(purpose, person);
				for (const [own, tryThere] of places) {
					if (own === purpose) continue;
					for (let turn = 0; turn < 6; turn += 1) {
						expect([purpose, own, ...refusal(await tryThere(email, code))]).toEqual([
							purpose,
							own,
							...INVALID_OTP
						]);
					}
				}
				if (purpose !== 'sign_in') {
					const browser = openBrowser(fixture.server);
					const fields = { email, code, __superform_id: 'code' };
					expect((await browser.post('/auth/sign-in?/verify', fields)).status).toBe(400);
					expect(browser.cookie('postern_session')).toBeNull();
				}
				expect(await waitingFor(fixture.database, email)).toEqual([[purpose, 0]]);
				expect((await uses[purpose](email, code)).status).toBe(200);
			}
		});

		const living = async (
			purpose: 'sign_in' | 'email_verification' | 'email_change',
			person: Parameters<typeof changeCode>[1]
		): Promise<{ readonly email: string; readonly code: string }> => {
			if (purpose === 'email_change') {
				const email = newAddress('purpose');
				return { email, code: await changeCode(fixture.server, person, email) };
			}
			return codeOfType(purpose === 'sign_in' ? 'sign-in' : 'email-verification');
		};

		test('A11 for another address a verification code is INVALID_OTP and counts at that address, not at its own', async () => {
			const [a, b] = [
				await codeOfType('email-verification'),
				await codeOfType('email-verification')
			];
			if (a.code === b.code) return;
			expect(refusal(await verifyEmail(b.email, a.code))).toEqual(INVALID_OTP);
			expect(refusal(await check(b.email, a.code))).toEqual(INVALID_OTP);
			expect(await waitingFor(fixture.database, a.email)).toEqual([['email_verification', 0]]);
			expect(await waitingFor(fixture.database, b.email)).toEqual([['email_verification', 2]]);
			for (const other of [newAddress('unknown'), 'nobody', '']) {
				expect(refusal(await verifyEmail(other, a.code))).toEqual(INVALID_OTP);
				expect(refusal(await check(other, a.code))).toEqual(INVALID_OTP);
			}
			expect((await verifyEmail(a.email, a.code)).status).toBe(200);
		});

		test('A14 an empty, missing or mistyped value is 400 and uses no attempt', async () => {
			const { email, code } = await codeOfType('email-verification');
			for (const call of [
				(mail: unknown, otp: unknown) => check(mail, otp),
				(mail: unknown, otp: unknown) => verifyEmail(mail, otp)
			]) {
				for (const [mail, otp, expected] of [
					[email, undefined, 'VALIDATION_ERROR'],
					[undefined, code, 'VALIDATION_ERROR'],
					[email, Number(code), 'VALIDATION_ERROR'],
					[email, [code], 'VALIDATION_ERROR'],
					[email, null, 'VALIDATION_ERROR'],
					[email, { $ne: '' }, 'VALIDATION_ERROR'],
					[[email], code, 'VALIDATION_ERROR'],
					[email, '', 'INVALID_OTP'],
					[email, `${code}0`, 'INVALID_OTP'],
					[email, code.slice(1), 'INVALID_OTP'],
					['', code, 'INVALID_OTP'],
					['', '', 'INVALID_OTP']
				] as const) {
					expect([...refusal(await call(mail, otp)), mail, otp]).toEqual([
						400,
						expected,
						mail,
						otp
					]);
				}
			}
			for (const type of [undefined, null, 5, ['sign-in']]) {
				// `check` has its own default for a missing type.
				const answer = await call(fixture.server, CHECK, { json: { email, otp: code, type } });
				expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR']);
			}
			for (const type of ['', 'SIGN-IN', 'forget-password', 'change-email', 'email_change']) {
				const answer = await check(email, code, type);
				expect([answer.status, answer.json(), type]).toEqual([
					400,
					{ message: 'Invalid OTP type', code: 'INVALID_OTP_TYPE' },
					type
				]);
			}
			expect(await waitingFor(fixture.database, email)).toEqual([['email_verification', 0]]);
			expect((await verifyEmail(email, code)).status).toBe(200);
		});

		test('a send to an invalid address is INVALID_EMAIL and counts nowhere', async () => {
			for (const email of ['nobody', '', 'a@@example.com']) {
				const answer = await sendVerification(email);
				expect([answer.status, answer.json(), email]).toEqual([
					400,
					{ message: 'Invalid email', code: 'INVALID_EMAIL' },
					email
				]);
			}
			expect(await isThrottled(fixture.database, 'nobody')).toBe(false);
		});

		test('A08 after two requests the first verification code is refused, and a sign-in code stays valid', async () => {
			const { email } = await signIn(fixture.server);
			const signInCode = await freshCode(fixture.server, email);
			const first = await verificationCode(email);
			const second = await verificationCode(email);
			if (first !== second) expect(refusal(await verifyEmail(email, first))).toEqual(INVALID_OTP);
			expect((await verifyEmail(email, second)).status).toBe(200);
			expect((await verifyCode(fixture.server, email, signInCode)).status).toBe(200);
		});

		test('a verification code that a page of this site requested is bound to that browser; another client can neither use nor use it up', async () => {
			const person = await signIn(fixture.server);
			const own = { origin: fixture.server.address, 'sec-fetch-site': 'same-origin' };
			const sent = await sendVerification(person.email, own);
			const cookie = pairOf(
				present(sent.setCookies.find((line) => line.startsWith('postern_browser=')))
			).join('=');
			const code = await fixture.server.verificationCodeFor(person.email);
			for (let turn = 0; turn < 4; turn += 1) {
				expect(refusal(await check(person.email, code))).toEqual(INVALID_OTP);
				expect(refusal(await verifyEmail(person.email, code))).toEqual(INVALID_OTP);
			}
			expect(await waitingFor(fixture.database, person.email)).toEqual([['email_verification', 0]]);
			expect((await verifyEmail(person.email, code, { ...own, cookie })).status).toBe(200);
		});

		test('a code for an account deleted after the request is INVALID_OTP', async () => {
			const person = await signIn(fixture.server);
			const code = await verificationCode(person.email);
			await call(fixture.server, `${API}/delete-user`, { json: {}, headers: bearer(person.token) });
			expect(refusal(await verifyEmail(person.email, code))).toEqual(INVALID_OTP);
		});

		test('B05 verification codes count in the bucket of their address, sent or not', async () => {
			for (const email of [newAddress('unknown'), (await signIn(fixture.server)).email]) {
				await fixture.database.rows(`delete from auth_throttle where email = '${email}'`);
				for (let send = 0; send < 5; send += 1) {
					expect((await sendVerification(email)).status).toBe(200);
				}
				for (const refused of [
					await sendVerification(email),
					await sendCode(fixture.server, email)
				]) {
					expect(refusal(refused)).toEqual([429, 'TOO_MANY_REQUESTS']);
					expect(refused.headers['retry-after']).toMatch(/^[1-9]\d{0,2}$/);
				}
			}
		});

		test('another method is 405', async () => {
			for (const path of [CHECK, VERIFY_EMAIL]) {
				for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
					const answer = await call(fixture.server, path, { method });
					expect([answer.status, answer.headers.allow, path]).toEqual([405, 'POST', path]);
				}
			}
		});
	},
	{ processes: 2 }
);

onBothDatabases(
	(fixture) => {
		const { check, verifyEmail, codeOfType } = helpersOf(fixture);

		test('A20 A01 of a hundred concurrent checks and uses over two processes at most 5 are compared', async () => {
			for (let round = 0; round < rounds(1, 20); round += 1) {
				const { email, code } = await codeOfType('email-verification');
				const answers = await Promise.all(
					times(100, (i) => {
						const server = i % 2 === 0 ? fixture.server : fixture.other;
						const otp = wrongCode(code, i + 1);
						return i % 4 < 2
							? check(email, otp, 'email-verification', server)
							: verifyEmail(email, otp, {}, server);
					})
				);
				expect(tally(answers.map((answer) => refusal(answer).join(' ')))).toEqual({
					'400 INVALID_OTP': 99,
					'403 TOO_MANY_ATTEMPTS': 1
				});
				const [row] = await fixture.database.rows(
					`select failures from auth_throttle where email = '${email}'`
				);
				expect(Number(row?.['failures'])).toBe(5);
				expect(refusal(await verifyEmail(email, code))).toEqual(INVALID_OTP);
			}
		});

		test('A03 the right verification code 50 times concurrently over two processes is used once', async () => {
			for (let round = 0; round < rounds(1, 50); round += 1) {
				const { email, code } = await codeOfType('email-verification');
				const answers = await Promise.all(
					times(50, (i) => verifyEmail(email, code, {}, i % 2 ? fixture.server : fixture.other))
				);
				const {
					200: won = 0,
					403: late = 0,
					400: lost = 0
				} = tally(answers.map(({ status }) => status));
				expect([won, late <= 1, won + late + lost]).toEqual([1, true, 50]);
			}
		});
	},
	{ processes: 2 }
);
