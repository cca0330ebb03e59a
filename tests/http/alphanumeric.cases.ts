import { expect, test } from 'vitest';
import { alphanumeric, anotherAlphanumeric, written } from '../support/build/alphanumeric.ts';
import { askOnPage } from '../support/http/account.ts';
import { openBrowser } from '../support/http/browser.ts';
import { freshCode, newAddress, verifyCode } from '../support/http/client.ts';
import { present, type Fixture } from '../support/http/fixtures.ts';

// Another build, in which only OTP_LENGTH and OTP_ALPHABET differ for the pages under test.
export const alphanumericCodes = (fixture: Fixture): void => {
	test('codes of letters and digits are accepted as people write them, over the API', async () => {
		const email = newAddress();
		const code = await freshCode(fixture.server, email);
		expect(code).toMatch(new RegExp(`^[${alphanumeric.alphabet}]{${alphanumeric.length}}$`));
		for (const typo of ['123456', code.slice(1), 'OIL01OIL']) {
			expect((await verifyCode(fixture.server, email, typo)).status).toBe(400);
		}
		for (let wrong = 1; wrong <= 4; wrong += 1) {
			await verifyCode(fixture.server, email, anotherAlphanumeric(code, wrong));
		}
		expect((await verifyCode(fixture.server, email, written(code, ' - '))).status).toBe(200);
	});

	test('codes of letters and digits are accepted in a form without JavaScript', async () => {
		const email = newAddress();
		const browser = openBrowser(fixture.server);
		const page = await askOnPage(browser, email);
		const [input] = present(/<input[^>]*name="code"[^>]*>/.exec(page.text));
		for (const part of ['inputmode="text"', 'autocapitalize="characters"', 'minlength="8"']) {
			expect(input).toContain(part);
		}
		const code = await fixture.server.codeFor(email);
		const wrong = { code: anotherAlphanumeric(code) };
		expect((await browser.submit(page, '?/verify', wrong)).status).toBe(400);
		const done = await browser.submit(page, '?/verify', { code: written(code, ' ') });
		expect([done.status, done.headers.location]).toEqual([303, '/app']);
	});
};
