import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

test('another code cannot be requested before its time, which the page shows', async ({
	page,
	open,
	reload,
	on,
	mail,
	address,
	passTime,
	receiveCode
}) => {
	await open('/auth/sign-in');
	await receiveCode(address);
	await passTime(10);
	await reload();
	await expect(on.resendButton).toBeDisabled();
	await expect(page.getByText(/^Sent at \d\d:\d\d UTC\s+Available in (?:19|20) s$/)).toBeVisible();
	await passTime(21);
	await page.getByRole('link', { name: messages.code.reload, exact: true }).click();
	await on.sendAgain();
	expect(mail.codesSentTo(address)).toBe(2);
});

test('the browser itself reports a missing or short code', async ({
	page,
	open,
	on,
	mail,
	address
}) => {
	await open('/auth/sign-in');
	await on.askForCode(address);
	await on.enterCode('12 34');
	await expect(page.locator('input:invalid')).toHaveCount(1);
	await expect(on.heading(messages.code.title)).toBeVisible();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
});

test('a code with words around it works', async ({ page, open, on, address, receiveCode }) => {
	await open('/auth/sign-in');
	await on.enterCode(`Your code: ${await receiveCode(address)}.`);
	await expect(page).toHaveURL('/app');
});
