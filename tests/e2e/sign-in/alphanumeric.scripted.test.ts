import { messages } from '#lib/messages/messages.ts';
import {
	alphanumericFolder,
	anotherAlphanumeric,
	written
} from '../../support/build/alphanumeric.ts';
import { expect, test } from '../fixtures.ts';

const { errors } = messages;

// In one worker, which starts one server.
test.describe.configure({ mode: 'default' });

test.use({
	// A build in which only OTP_LENGTH and OTP_ALPHABET differ for the pages under test.
	serverOptions: { folder: alphanumericFolder },
	expectedTrouble: [400],
	permissions: ['clipboard-read', 'clipboard-write']
});

test('a code of letters and digits is typed in lower case, with an error first', async ({
	page,
	open,
	on,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	const code = await receiveCode(address);
	await expect(on.codeField).toHaveAttribute('inputmode', 'text');
	await expect(on.codeField).toHaveAttribute('autocapitalize', 'characters');
	await expect(on.codeField).toBeFocused();
	const type = async (typed: string): Promise<void> => {
		await on.codeField.clear();
		await on.codeField.pressSequentially(typed);
	};
	await type(anotherAlphanumeric(code).toLowerCase());
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await type(code.toLowerCase());
	await expect(page).toHaveURL('/app');
});

test('a code with spaces and dashes is accepted when pasted', async ({
	page,
	open,
	on,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	const code = await receiveCode(address);
	await expect(on.codeField).toBeFocused();
	let posts = 0;
	page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0));
	const text = ` ${written(code, ' - ')} `;
	await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
	await page.keyboard.press('ControlOrMeta+V');
	await expect(page).toHaveURL('/app');
	expect(posts).toBe(1);
});

test('a code that is too short gets an error, by the page, and costs no attempt', async ({
	page,
	open,
	on,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	const code = await receiveCode(address);
	await on.codeField.fill(code.slice(1));
	await on.continueButton.click();
	await expect(page.getByText(messages.inputErrors.incompleteCode(8))).toBeVisible();
	await on.enterCode(anotherAlphanumeric(code));
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
});
