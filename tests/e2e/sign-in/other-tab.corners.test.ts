import { messages } from '#lib/messages/messages.ts';
import { screensOf } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [400] });

test('a form that is used after a sign-in elsewhere leads to its target as well', async ({
	page,
	context,
	scripted,
	passTime,
	open,
	on,
	mail,
	arrive,
	address,
	freshAddress,
	receiveCode
}) => {
	await passTime(0);
	await open('/auth/sign-in?redirectTo=%2Fsettings');
	const code = await receiveCode(address);
	await expect(page.getByText(messages.code.sentTo)).toBeVisible();
	const again = await context.newPage();
	await open('/auth/sign-in?redirectTo=%2Fsettings', again);
	await arrive(freshAddress());
	// These tabs have not noticed. A code that is wrong now changes nothing.
	await on.enterCode(code === '000000' ? '111111' : '000000');
	await expect(page).toHaveURL('/settings');

	if (scripted) await again.reload();
	else await screensOf(again, false).continueButton.click({ noWaitAfter: true });
	await again.goto('/auth/sign-in?redirectTo=%2Fsettings');
	await expect(again).toHaveURL('/settings');
	expect(mail.codesSentTo(address)).toBe(1);
});

test('another code that is requested after a sign-in elsewhere leads to the target', async ({
	page,
	passTime,
	open,
	on,
	arrive,
	address,
	freshAddress,
	receiveCode
}) => {
	await passTime(0);
	await open('/auth/sign-in?redirectTo=%2Fsettings');
	await receiveCode(address);
	await passTime(31);
	await page.reload();
	await arrive(freshAddress());
	await on.resendButton.click();
	await expect(page).toHaveURL('/settings');
	await expect(on.codeField).toHaveCount(0);
});
