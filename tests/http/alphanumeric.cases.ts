import { expect, test } from 'vitest';
import { alphanumeric, anotherAlphanumeric, written } from '../support/build/alphanumeric.ts';
import { freshCode, newAddress, verifyCode } from '../support/http/client.ts';
import type { Fixture } from '../support/http/fixtures.ts';

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
};
