import { describe, expect, test } from 'vitest';
import {
	alphanumeric,
	alphanumericFolder,
	anotherAlphanumeric,
	written
} from '../../support/build/alphanumeric.ts';
import { askOnPage } from '../../support/http/account.ts';
import { formsOf, openBrowser, textOf } from '../../support/http/browser.ts';
import {
	freshCode,
	newAddress,
	times,
	verifyCode,
	type Answer
} from '../../support/http/client.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';

const SHAPE = new RegExp(`^[${alphanumeric.alphabet}]{${alphanumeric.length}}$`);

const attributesOf = (page: Answer): Readonly<Record<string, string>> => {
	const [input] = present(/<input[^>]*name="code"[^>]*>/.exec(page.text));
	return Object.fromEntries([...input.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, k, v]) => [k, v]));
};

// Another build, in which only OTP_LENGTH and OTP_ALPHABET differ for the pages under test.
onOneServer(
	(fixture) => {
		describe('codes of letters and digits, over the API', () => {
			test('have the shape of the two constants, also in the email', async () => {
				const codes = await Promise.all(times(20, () => freshCode(fixture.server, newAddress())));
				for (const code of codes) expect(code).toMatch(SHAPE);
				expect(new Set(codes).size).toBe(20);
				// Of 160 characters some are letters; the chance of none is one in 10^84.
				expect(codes.join('')).toMatch(/[A-Z]/);
			});

			test.each([
				['as it is', (code: string) => code],
				['in lower case', (code: string) => code.toLowerCase()],
				['with a space', (code: string) => written(code, ' ')],
				['with dashes and spaces around', (code: string) => ` ${written(code, ' - ')}\n`],
				['in full-width letters', (code: string) => code.replace(/[!-~]/g, fullWidth)]
			])('are accepted %s', async (_how, typed) => {
				const email = newAddress();
				const code = await freshCode(fixture.server, email);
				const answer = await verifyCode(fixture.server, email, typed(code));
				expect([answer.status, answer.text.includes(email)]).toEqual([200, true]);
			});

			test('a code of another shape costs no attempt', async () => {
				const email = newAddress();
				const code = await freshCode(fixture.server, email);
				for (const wrong of ['123456', code.slice(1), `${code}A`, 'OIL01OIL', '', 'ÄÖÜẞ2345']) {
					const answer = await verifyCode(fixture.server, email, wrong);
					expect([answer.status, answer.json()]).toEqual([
						400,
						{ message: 'Invalid OTP', code: 'INVALID_OTP' }
					]);
				}
				expect((await verifyCode(fixture.server, email, code)).status).toBe(200);
			});

			test('after five wrong ones the right one is refused', async () => {
				const email = newAddress();
				const code = await freshCode(fixture.server, email);
				for (let wrong = 1; wrong <= 5; wrong += 1) {
					const answer = await verifyCode(fixture.server, email, anotherAlphanumeric(code, wrong));
					expect(answer.status).toBe(400);
				}
				expect((await verifyCode(fixture.server, email, code)).status).toBe(403);
			});
		});

		describe('codes of letters and digits, in a form without JavaScript', () => {
			test('the field has the right keyboard, length and pattern, and describes the code', async () => {
				const page = await askOnPage(openBrowser(fixture.server), newAddress());
				const { inputmode, autocapitalize, minlength, pattern = '', ...rest } = attributesOf(page);
				expect({ inputmode, autocapitalize, minlength }).toEqual({
					inputmode: 'text',
					autocapitalize: 'characters',
					minlength: '8'
				});
				expect(rest).toMatchObject({ autocomplete: 'one-time-code', spellcheck: 'false' });
				const lets = (typed: string): boolean => new RegExp(`^(?:${pattern})$`, 'v').test(typed);
				for (const typed of ['ABCD2345', 'abcd-2345', ' ab cd 23 45 '])
					expect(lets(typed)).toBe(true);
				for (const typed of ['ABCD234', 'ABCD23456', '123456', '']) expect(lets(typed)).toBe(false);
				expect(textOf(page.text)).toContain('8 characters');
				expect(textOf(page.text)).not.toContain('digits');
			});

			test('typing errors cost nothing, a wrong code costs an attempt, and the right one signs in', async () => {
				const email = newAddress();
				const browser = openBrowser(fixture.server);
				const page = await askOnPage(browser, email);
				const code = await fixture.server.codeFor(email);
				expect(code).toMatch(SHAPE);
				let at = page;
				for (const slip of ['123456', code.slice(1), 'OIL01OIL']) {
					at = await browser.submit(at, '?/verify', { code: slip });
					expect([at.status, textOf(at.text).includes('That code isn’t right')]).toEqual([
						400,
						true
					]);
				}
				at = await browser.submit(at, '?/verify', { code: anotherAlphanumeric(code) });
				expect([at.status, textOf(at.text).includes('You have 4 attempts left.')]).toEqual([
					400,
					true
				]);
				expect(formsOf(at.text, '/auth/sign-in').length).toBeGreaterThan(0);
				const done = await browser.submit(at, '?/verify', { code: written(code, ' - ') });
				expect([done.status, done.headers.location]).toEqual([303, '/app']);
			});
		});
	},
	{},
	{ folder: alphanumericFolder }
);

/** The full-width form that input methods for Chinese and Japanese write. */
function fullWidth(character: string): string {
	return String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0);
}
