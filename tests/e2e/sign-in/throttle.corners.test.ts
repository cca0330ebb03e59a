import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { sendFromElsewhere } from '../../support/e2e/arrival.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [429] });

test('the sixth code within fifteen minutes is refused, with a message', async ({
	page,
	passTime,
	scripted,
	server,
	open,
	on,
	mail,
	address
}) => {
	await sendFromElsewhere(server, address, 5);
	await open('/auth/sign-in?step=email');
	const answer = page.waitForResponse((response) => response.request().method() === 'POST');
	await on.askForCode(address);
	const refused = await answer;
	expect(refused.status()).toBe(429);
	expect(Number(refused.headers()['retry-after'])).toBeGreaterThan(14 * 60);

	const text = messages.errors.tooManySends(false, scripted ? null : 900);
	await expect(on.alert(text)).toBeVisible();
	await expect(on.emailField).toHaveValue(address);
	expect(mail.codesSentTo(address)).toBe(5);
	if (scripted) {
		await expect(on.sendButton).toBeDisabled();
		await expect(page.getByText(/Available in 14 min \d+ s/)).toBeVisible();
	}

	await passTime(15 * 60 + 1);
	await on.sendButton.click();
	await expect(on.codeField).toBeVisible();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
});

test('a form that a limit of the client refuses stays, and works when the time is over', async ({
	page,
	passTime,
	scripted,
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
	await expect(on.alert(messages.refusals.tooOftenNow)).toBeVisible();
	await expect(on.heading(messages.signUp.heading(SITE))).toBeVisible();
	if (scripted) {
		await expect(on.emailField).toHaveValue(address);
		await expect(on.sendButton).toBeDisabled();
		await expect(page.getByText(/Available in \d+ s/)).toBeVisible();
		// Another email address does not help.
		await on.emailField.press('End');
		await page.keyboard.type('x');
		await expect(on.sendButton).toBeDisabled();
	}
	await passTime(61);
	await expect(on.sendButton).toBeEnabled();
	await on.askForCode(address);
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/settings');
});
