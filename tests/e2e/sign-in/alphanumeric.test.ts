import { messages } from '#lib/messages/messages.ts';
import {
	alphanumericFolder,
	anotherAlphanumeric,
	written
} from '../../support/build/alphanumeric.ts';
import { expect, test } from '../fixtures.ts';

const { errors } = messages;

test.use({
	// A build in which only OTP_LENGTH and OTP_ALPHABET differ for the pages under test.
	serverOptions: { folder: alphanumericFolder },
	expectedTrouble: [400],
	permissions: ['clipboard-read', 'clipboard-write']
});

test('a code of letters and digits may be in lower case, with spaces and dashes', async ({
	page,
	on,
	openCodePage
}) => {
	const code = await openCodePage();
	await expect(on.codeField).toHaveAttribute('inputmode', 'text');
	await expect(on.codeField).toHaveAttribute('autocapitalize', 'characters');
	await expect(on.codeField).toBeFocused();
	await page.keyboard.type(anotherAlphanumeric(code).toLowerCase());
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	const text = ` ${written(code.toLowerCase(), ' - ')} `;
	await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
	await page.keyboard.press('ControlOrMeta+V');
	await expect(page).toHaveURL('/app');
});
