import { afterEach, expect, test } from 'vitest';
import {
	askOnPage,
	DELETE,
	enterOnPage,
	rowsOf,
	appearance,
	steady,
	statusAndBody
} from '../../support/http/account.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import {
	API,
	bearer,
	call,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	times,
	verifyCode,
	VERIFY,
	whoIs,
	wrongCode,
	type Answer
} from '../../support/http/client.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const INVALID = [400, { message: 'Invalid OTP', code: 'INVALID_OTP' }];

onBothInLongForm(
	(fixture) => {
		/** Accounts from before the sign-up was closed. */
		const member = async (name = 'ada'): Promise<string> => {
			const email = newAddress(name);
			const id = crypto.randomUUID();
			const now = fixture.engine === 'SQLite' ? String(Date.now()) : 'now()';
			await fixture.database.rows(
				`insert into "user" (id, email, email_verified, created_at, updated_at)
				values ('${id}', '${email}', true, ${now}, ${now})`
			);
			return email;
		};
		const users = async (): Promise<number> =>
			Number((await fixture.database.rows('select count(*) as n from "user"'))[0]?.['n']);
		/** Here emails follow the answer, so the test sends one more and waits for that. */
		const afterMails = async (): Promise<void> => {
			await freshCode(fixture.server, await member());
		};
		const isUnmailed = async (email: string): Promise<void> => {
			await afterMails();
			expect(fixture.server.output()).not.toContain(`for ${email}`);
		};

		afterEach(async () => {
			await fixture.server.shiftClock(0);
		});

		test('C01 requesting a code gets the same answer for known and unknown addresses, and only known ones get an email', async () => {
			const [known, unknown] = [await member('same'), newAddress('same')];
			const before = await users();
			const answers = [
				await sendCode(fixture.server, known),
				await sendCode(fixture.server, unknown),
				await sendCode(fixture.server, known, {
					'sec-fetch-site': 'same-origin',
					origin: fixture.server.address
				}),
				await sendCode(fixture.server, unknown, {
					'sec-fetch-site': 'same-origin',
					origin: fixture.server.address
				})
			].map((answer) => ({ ...appearance(answer), names: Object.keys(answer.headers) }));
			expect(answers[0]).toEqual(answers[1]);
			expect(answers[2]).toEqual(answers[3]);
			expect(answers[0]).toMatchObject({ status: 200, text: '{"success":true}' });
			await fixture.server.codeFor(known, 2);
			await isUnmailed(unknown);
			expect(await users()).toBe(before + 1);
		});

		test('C03 all wrong guesses get the same answers, TOO_MANY_ATTEMPTS included', async () => {
			const seen: object[][] = [];
			for (const email of [await member('same'), newAddress('same')]) {
				await sendCode(fixture.server, email);
				const answers: Answer[] = [];
				for (let guess = 1; guess <= 8; guess += 1) {
					answers.push(await verifyCode(fixture.server, email, String(100_000 + guess)));
				}
				answers.push(await verifyCode(fixture.server, email, 'x'));
				answers.push(
					await call(fixture.server, VERIFY, { json: { email, otp: '100009', restore: true } })
				);
				seen.push(answers.map(appearance));
				expect(answers.slice(0, 5).map(statusAndBody)).toEqual(times(5, () => INVALID));
				expect(statusAndBody(present(answers[5]))).toEqual([
					403,
					{ message: 'Too many attempts', code: 'TOO_MANY_ATTEMPTS' }
				]);
			}
			expect(seen[0]).toEqual(seen[1]);
		});

		test('an unknown address gets INVALID_OTP before and after a code would have expired, as a known one does', async () => {
			const [known, unknown] = [await member('same'), newAddress('same')];
			const [idle, never] = [await member('same'), newAddress('same')];
			for (const email of [known, unknown]) await sendCode(fixture.server, email);
			await fixture.server.shiftClock(601);
			const answers = await Promise.all(
				[known, unknown, idle, never].map((email) => verifyCode(fixture.server, email, '123456'))
			);
			expect(appearance(present(answers[0]))).toEqual(appearance(present(answers[1])));
			expect(appearance(present(answers[2]))).toEqual(appearance(present(answers[3])));
		});

		test('C01 the throttle of an address is the same for both', async () => {
			const seen: object[][] = [];
			for (const email of [await member('same'), newAddress('same')]) {
				const answers: Answer[] = [];
				for (let send = 0; send < 6; send += 1) answers.push(await sendCode(fixture.server, email));
				expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
				const waits = answers.map(({ headers }) => Number(headers['retry-after'] ?? 0));
				expect(waits[5]).toBeGreaterThan(890);
				seen.push(answers.map(({ text, headers }) => ({ text, names: Object.keys(headers) })));
			}
			expect(seen[0]).toEqual(seen[1]);
		});

		test('known users sign in to their account with all its data, and no user is created', async () => {
			const email = await member();
			const before = await users();
			const person = await signIn(fixture.server, email);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(email);
			const browser = openBrowser(fixture.server);
			const done = await enterOnPage(fixture.server, browser, email, '/auth/sign-up');
			expect([done.status, done.headers.location]).toEqual([303, '/app']);
			expect(await users()).toBe(before);
		});

		test('a right code from before the sign-up was closed creates no account', async () => {
			// A code for an account that no longer exists.
			const email = await member();
			const code = await freshCode(fixture.server, email);
			await fixture.database.rows(`delete from "user" where email = '${email}'`);
			const before = await users();
			expect(statusAndBody(await verifyCode(fixture.server, email, code))).toEqual(INVALID);
			expect(statusAndBody(await verifyCode(fixture.server, email, code))).toEqual(INVALID);
			expect([await users(), await rowsOf(fixture, 'user', email)]).toEqual([before, []]);
			expect(fixture.server.mailsSentTo('welcome mail', email)).toBe(0);
		});

		test.each(['/auth/sign-in', '/auth/sign-up'])(
			'C01 without JavaScript %s shows the same code page, and the same error for a wrong code',
			async (path) => {
				const seen: unknown[] = [];
				for (const email of [await member('page'), newAddress('page')]) {
					const browser = openBrowser(fixture.server);
					const pages = [await askOnPage(browser, email, path)];
					for (let guess = 1; guess <= 6; guess += 1) {
						const fields = { email, code: String(100_000 + guess), __superform_id: 'code' };
						pages.push(await browser.post(`${path}?/verify`, fields));
					}
					const resend = { email, __superform_id: 'resend' };
					pages.push(await browser.post(`${path}?/resend`, resend));
					await fixture.server.shiftClock(31);
					pages.push(await browser.post(`${path}?/resend`, resend));
					await fixture.server.shiftClock(0);
					expect(pages.map(({ status }) => status)).toEqual([
						...[200, 400, 400, 400, 400, 400, 403, 429, 303]
					]);
					seen.push(
						pages.map(({ status, text, headers, setCookies }) => [
							...[status, textOf(steady(text)).replaceAll(email, 'EMAIL').replace(/\d+ s/g, 'n s')],
							...[Object.keys(headers), setCookies.map(steady)]
						])
					);
				}
				expect(seen[0]).toEqual(seen[1]);
			}
		);

		test('no call creates an account: not by consent, name, restore or type, and none gets an email', async () => {
			const before = await users();
			const email = newAddress('nobody');
			await sendCode(fixture.server, email);
			await call(fixture.server, `${API}/email-otp/send-verification-otp`, {
				json: { email, type: 'email-verification' }
			});
			for (const more of [{}, { name: 'x' }, { restore: true }, { marketingOptIn: true }]) {
				const answer = await call(fixture.server, VERIFY, {
					json: { email, otp: '123456', ...more }
				});
				expect(statusAndBody(answer)).toEqual(INVALID);
			}
			await isUnmailed(email);
			// That type of code needs a known user, for the email that the test waits for.
			expect(await users()).toBe(before + 1);
			expect(await rowsOf(fixture, 'user', email)).toEqual([]);
		});

		test('a deleted account counts as known and can be restored', async () => {
			const email = await member();
			const { token } = await signIn(fixture.server, email);
			const before = await users();
			await call(fixture.server, DELETE, { json: {}, headers: bearer(token) });
			const code = await freshCode(fixture.server, email);
			expect((await verifyCode(fixture.server, email, code)).status).toBe(403);
			const json = { email, otp: code, restore: true };
			expect((await call(fixture.server, VERIFY, { json })).status).toBe(200);
			expect(await users()).toBe(before);
			expect(statusAndBody(await verifyCode(fixture.server, email, wrongCode(code)))).toEqual(
				INVALID
			);
		});
	},
	{ env: { SIGN_UP: 'closed' } }
);
