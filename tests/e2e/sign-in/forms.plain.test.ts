import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [400, 429] });

test('a request for another code too soon is refused with the seconds left, also after a reload', async ({
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
	const code = await receiveCode(address);
	await passTime(10);
	await reload();
	const answer = page.waitForResponse((response) => response.request().method() === 'POST');
	await on.resendButton.click();
	expect((await answer).status()).toBe(429);
	await expect(page.getByRole('alert')).toHaveText(/\b(?:19|20)\b/);
	await expect(on.codeField).toBeVisible();
	expect(mail.codesSentTo(address)).toBe(1);
	await on.enterCode(code);
	await expect(page).toHaveURL('/app');
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
