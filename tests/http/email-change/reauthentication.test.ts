import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	shown,
	signIn,
	whoIs,
	wrongCode,
	OUT,
	SEND,
	type Answer,
	type SignedIn
} from '../../support/http/client.ts';
import {
	askByCode,
	backdateSignIn,
	browserOf,
	changeByCode,
	changeCode,
	changeLink,
	confirmLink,
	follow,
	formKey,
	heading,
	isThrottled,
	linkOutcome,
	pathOfLink,
	refusal,
	waitingFor,
	ASK_BY_CODE,
	ASK_BY_LINK,
	CHANGED
} from '../../support/http/email-change.ts';
import { onBothInLongForm, onOneServer, type Fixture } from '../../support/http/fixtures.ts';

const WAYS = [
	['code', ASK_BY_CODE],
	['link', ASK_BY_LINK]
] as const;

const NOT_FRESH = [403, 'SESSION_NOT_FRESH'];

/** A person whose sign-in was longer than 15 minutes ago. */
const stalePerson = async (fixture: Fixture): Promise<SignedIn> => {
	const person = await signIn(fixture.server);
	await backdateSignIn(fixture, person);
	return person;
};

const STRICT = { EMAIL_CHANGE_REPROOF: 'on' };

describe('with EMAIL_CHANGE_REPROOF=on, a change requested by a session that signed in more than 15 minutes ago', () => {
	onBothInLongForm(
		(fixture) => {
			const request = (path: string, { token }: SignedIn, body: object): Promise<Answer> =>
				call(fixture.server, path, { json: body, headers: bearer(token) });
			/** The code that the first call sends to the current address. */
			const codeFrom = async (
				path: string,
				person: SignedIn,
				newEmail: string
			): Promise<string> => {
				const kind = 'reauthentication code';
				const before = fixture.server.mailsSentTo(kind, person.email);
				expect(refusal(await request(path, person, { newEmail }))).toEqual(NOT_FRESH);
				return fixture.server.mailFor(kind, person.email, before + 1);
			};

			test.each(WAYS)(
				'K10 by %s: the first call emails a code, the same call with that code proceeds, once',
				async (way, path) => {
					const person = await stalePerson(fixture);
					const newEmail = newAddress('new');
					const first = await request(path, person, { newEmail });
					expect([first.status, first.json()]).toEqual([
						403,
						{ message: 'Session is not fresh', code: 'SESSION_NOT_FRESH' }
					]);
					const otp = await fixture.server.mailFor('reauthentication code', person.email);
					expect(await isThrottled(fixture.database, newEmail)).toBe(false);
					expect(await waitingFor(fixture.database, newEmail)).toEqual([]);
					expect((await request(path, person, { newEmail, otp })).status).toBe(200);
					await fixture.server.mailFor(`email-change ${way}`, newEmail);
					expect(refusal(await request(path, person, { newEmail, otp }))).toEqual([
						400,
						'INVALID_OTP'
					]);
				}
			);

			test.each(WAYS)(
				'K10 A10 by %s: no other code is accepted, and a wrong one sends no new code',
				async (_, path) => {
					const person = await stalePerson(fixture);
					const other = await stalePerson(fixture);
					const newEmail = newAddress('new');
					const otp = await codeFrom(path, person, newEmail);
					await call(fixture.server, SEND, {
						json: { email: person.email, type: 'email-verification' }
					});
					const verification = await fixture.server.verificationCodeFor(person.email);
					const wrong = [
						wrongCode(otp),
						await freshCode(fixture.server, person.email),
						verification,
						await codeFrom(path, other, newEmail)
					].filter((code) => code !== otp);
					for (const code of wrong.slice(0, 4)) {
						expect(refusal(await request(path, person, { newEmail, otp: code }))).toEqual([
							400,
							'INVALID_OTP'
						]);
					}
					expect(fixture.server.mailsSentTo('reauthentication code', person.email)).toBe(1);
					expect((await request(path, person, { newEmail, otp })).status).toBe(200);
				}
			);

			test('R06 the code is void once its session ends, and for another new address', async () => {
				const person = await stalePerson(fixture);
				const newEmail = newAddress('new');
				const otp = await codeFrom(ASK_BY_CODE, person, newEmail);
				const elsewhere = await request(ASK_BY_CODE, person, { newEmail: newAddress('else'), otp });
				expect(refusal(elsewhere)).toEqual([400, 'INVALID_OTP']);
				const other = await signIn(fixture.server, person.email);
				await backdateSignIn(fixture, person);
				expect(refusal(await request(ASK_BY_CODE, other, { newEmail, otp }))).toEqual([
					400,
					'INVALID_OTP'
				]);
				await call(fixture.server, OUT, { json: {}, headers: bearer(person.token) });
				const rows = await fixture.database.rows(
					`select count(*) as count from verification where email = '${person.email}' and purpose = 'reauthentication'`
				);
				expect(Number(rows[0]?.['count'])).toBe(0);
			});

			test('K10 a code of the wrong JSON type is refused, and nothing is sent', async () => {
				const person = await stalePerson(fixture);
				const answer = await request(ASK_BY_CODE, person, { newEmail: newAddress('new'), otp: 5 });
				expect(refusal(answer)).toEqual([400, 'VALIDATION_ERROR']);
				expect(fixture.server.mailsSentTo('reauthentication code', person.email)).toBe(0);
			});

			test('S05 the refusal is the same, whether the token comes as cookie or as bearer', async () => {
				const person = await stalePerson(fixture);
				const newEmail = newAddress('new');
				for (const headers of [
					bearer(person.token),
					{ cookie: person.cookie, origin: fixture.server.address }
				]) {
					for (const [, path] of WAYS) {
						const answer = await call(fixture.server, path, { json: { newEmail }, headers });
						expect(refusal(answer)).toEqual(NOT_FRESH);
					}
				}
				expect(await waitingFor(fixture.database, newEmail)).toEqual([]);
			});

			test('a fresh session needs no code', async () => {
				const person = await signIn(fixture.server);
				expect(
					(await askByCode(fixture.server, bearer(person.token), newAddress('new'))).status
				).toBe(200);
				expect(fixture.server.mailsSentTo('reauthentication code', person.email)).toBe(0);
			});
		},
		{ env: STRICT }
	);

	onOneServer((fixture) => {
		test('K10 C04 a taken address gets the answers of a free one, before the code and with it', async () => {
			const person = await stalePerson(fixture);
			const owner = await signIn(fixture.server, newAddress('taken'));
			const answers: object[][] = [];
			for (const newEmail of [newAddress('freed'), owner.email]) {
				const count = fixture.server.mailsSentTo('reauthentication code', person.email) + 1;
				const headers = bearer(person.token);
				const first = await askByCode(fixture.server, headers, newEmail);
				const otp = await fixture.server.mailFor('reauthentication code', person.email, count);
				const second = await call(fixture.server, ASK_BY_CODE, {
					json: { newEmail, otp },
					headers
				});
				answers.push([shown(first), shown(second)]);
			}
			expect(answers[1]).toEqual(answers[0]);
		});

		test('K10 without JavaScript: the page requests the code, keeps the new address, and continues', async () => {
			const person = await stalePerson(fixture);
			const browser = browserOf(fixture.server, person);
			const to = newAddress('new');
			const response = await browser.submit(await browser.open('/settings'), '?/request', {
				email: to
			});
			expect(response.status).toBe(403);
			expect(response.text).toContain(to);
			expect(response.text).toContain(messages.emailChange.codeSent(person.email));
			const code = await fixture.server.mailFor('reauthentication code', person.email);
			const wrong = await browser.submit(response, '?/request', {
				email: to,
				code: wrongCode(code)
			});
			expect(wrong.status).toBe(400);
			expect(wrong.text).toContain(messages.errors.invalidCodeAttempts(4));
			const again = await browser.post('/settings?/prove', { email: to, code });
			expect(again.status).toBe(403);
			const newest = await fixture.server.mailFor('reauthentication code', person.email, 2);
			const sent = await browser.submit(again, '?/request', { email: to, code: newest });
			expect(sent.status).toBe(303);
			const landing = await follow(browser, pathOfLink(await fixture.server.linkFor(to)));
			expect(heading(landing)).toBe(messages.verifyEmail.title);
			expect(linkOutcome(await browser.submit(landing, '?/confirm'))).toBe(CHANGED);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(to);
		});
	}, STRICT);
});

describe('by default, a session of any age', () => {
	onOneServer((fixture) => {
		/** A person whose session is a month old. */
		const oldPerson = async (): Promise<SignedIn> => {
			const person = await signIn(fixture.server);
			await backdateSignIn(fixture, person, 30 * 86_400);
			return person;
		};

		test('S05 changes the email address over the API, by link or by code, with the new mailbox alone', async () => {
			const byLink = await oldPerson();
			const linked = newAddress('new');
			const link = await changeLink(fixture.server, byLink, linked);
			const form = await formKey(fixture.server);
			const answer = await confirmLink(fixture.server, form, byLink, link);
			expect(linkOutcome(answer)).toBe(CHANGED);
			expect(await whoIs(fixture.server, bearer(byLink.token))).toBe(linked);

			const byCode = await oldPerson();
			const coded = newAddress('new');
			const otp = await changeCode(fixture.server, byCode, coded);
			const headers = bearer(byCode.token);
			expect((await changeByCode(fixture.server, headers, coded, otp)).status).toBe(200);
			expect(await whoIs(fixture.server, headers)).toBe(coded);
			for (const { email } of [byLink, byCode]) {
				expect(fixture.server.mailsSentTo('reauthentication code', email)).toBe(0);
			}
		});

		test('S05 changes the email address on the settings page, with the new mailbox alone', async () => {
			const person = await oldPerson();
			const browser = browserOf(fixture.server, person);
			const to = newAddress('new');
			const sent = await browser.submit(await browser.open('/settings'), '?/request', {
				email: to
			});
			expect(sent.status).toBe(303);
			const landing = await follow(browser, pathOfLink(await fixture.server.linkFor(to)));
			expect(linkOutcome(await browser.submit(landing, '?/confirm'))).toBe(CHANGED);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(to);
		});
	});
});
