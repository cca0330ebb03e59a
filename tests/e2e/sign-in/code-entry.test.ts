import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { wrongCode } from '../../support/http/client.ts';
import { expect, test } from '../fixtures.ts';

const { errors } = messages;

test.use({ expectedTrouble: [400] });

/** Counts the posts that a form of this page makes from now on. */
const postsOf = (page: Page): { count: number } => {
	const posts = { count: 0 };
	page.on('request', (request) => {
		if (request.method() === 'POST') posts.count += 1;
	});
	return posts;
};

test('a complete code submits itself once; a wrong one is selected, and typing replaces it', async ({
	page,
	server,
	on,
	freshAddress,
	openCodePage
}) => {
	const code = await openCodePage();
	await expect(on.codeField).toBeFocused();
	// Another tab requests a later code.
	await page.request.post('/api/auth/email-otp/send-verification-otp', {
		headers: { origin: server.address },
		data: { email: freshAddress(), type: 'sign-in' }
	});
	const posts = postsOf(page);
	const wrong = wrongCode(code);
	await page.keyboard.type(wrong.slice(0, 5));
	await expect(on.codeField).toHaveValue(wrong.slice(0, 5));
	expect(posts.count).toBe(0);
	await page.keyboard.type(wrong.slice(5));
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await expect(on.codeField).toBeFocused();
	await expect(on.codeField).toHaveValue(wrong);
	expect(posts.count).toBe(1);

	await page.keyboard.type(code);
	await expect(page).toHaveURL('/app');
	expect(posts.count).toBe(2);
});

test('an empty field, other keys than digits and a digit too many send nothing', async ({
	page,
	on,
	openCodePage
}) => {
	const code = await openCodePage();
	await expect(on.codeField).toBeFocused();
	const posts = postsOf(page);
	await on.continueButton.click();
	await expect(page.getByText(messages.inputErrors.emptyCode)).toBeVisible();
	await expect(on.codeField).toBeFocused();
	await page.keyboard.type('1a-2 b');
	await expect(on.codeField).toHaveValue('12');
	await on.codeField.fill(`${code}0`);
	await expect(on.codeField).toHaveValue(`${code}0`);
	await page.keyboard.press('Enter');
	await expect(on.codeField).toHaveAttribute('aria-invalid', 'true');
	await expect(page.getByText(messages.inputErrors.incompleteDigits(6))).toBeVisible();
	expect(posts.count).toBe(0);
	await on.codeField.press('End');
	await page.keyboard.press('Backspace');
	await expect(page).toHaveURL('/app');
	expect(posts.count).toBe(1);
});
