import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [429] });

test('a form that a limit of the client refuses stays, and works when the time is over', async ({
	page,
	passTime,
	open,
	on,
	mail,
	address
}) => {
	await passTime(0);
	await open('/auth/sign-up?redirectTo=%2Fsettings');
	const spend = () => page.request.post('/auth/sign-up?/request', { form: {} });
	await Promise.all(Array.from({ length: 20 }, spend));
	await on.askForCode(address);
	await expect(page.getByText(messages.refusals.tooOftenNow)).toBeVisible();
	await expect(on.heading(messages.signUp.heading(SITE))).toBeVisible();
	await expect(on.emailField).toHaveValue(address);
	await expect(on.sendButton).toBeDisabled();
	await expect(page.getByText(/Available in \d+ s/)).toBeVisible();
	// Another email address does not help.
	await on.emailField.press('End');
	await page.keyboard.type('x');
	await expect(on.sendButton).toBeDisabled();
	await passTime(61);
	await expect(on.sendButton).toBeEnabled();
	await on.askForCode(address);
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/settings');
});
