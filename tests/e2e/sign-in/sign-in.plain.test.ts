import { messages } from '#lib/messages/messages.ts';
import { comeBackTo } from '../../support/e2e/arrival.ts';
import { SEND } from '../../support/callers.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

const { app, code, emailStep, errors, home, signUp } = messages;

test('a new user signs up from the home page', async ({ page, open, on, mail, address }) => {
	await open('/');
	await expect(on.heading(home.title)).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: messages.common.signUp }).click();

	await expect(on.heading(signUp.heading(SITE))).toBeVisible();
	await expect(page).toHaveTitle(new RegExp(`^${signUp.title}`));
	await expect(on.emailField).toBeFocused();
	await expect(on.emailField).toHaveAttribute('type', 'email');
	await expect(on.emailField).toHaveAttribute('autocomplete', 'email');
	await expect(on.emailField).not.toHaveAttribute('aria-invalid');
	await on.askForCode(address);

	await expect(on.heading(code.states.sent.title)).toBeVisible();
	await expect(page.getByRole('main')).toContainText(address);
	await expect(on.codeField).toBeFocused();
	await expect(on.codeField).toHaveValue('');
	await expect(on.codeField).toHaveAttribute('autocomplete', 'one-time-code');
	await expect(on.codeField).toHaveAttribute('inputmode', 'numeric');
	await expect(on.codeField).toHaveAccessibleDescription(/Valid until \d\d:\d\d/);
	await expect(on.codeField).not.toHaveAttribute('aria-invalid');
	await on.enterCode(await mail.codeFor(address));

	await expect(page).toHaveURL('/app');
	await expect(on.heading(app.greeting)).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(address);
	await expect.poll(() => mail.mailsSentTo('welcome mail', address)).toBe(1);
	expect(mail.codesSentTo(address)).toBe(1);
});

test.describe('a code page that is open until its code is forgotten', () => {
	test.use({ expectedTrouble: [400] });

	test('says that the code expired, and keeps the address', async ({
		page,
		on,
		passTime,
		openCodePage,
		address,
		scripted
	}) => {
		const sent = await openCodePage();
		await passTime(1201);
		if (scripted) {
			const refreshed = page.waitForResponse(/__data\.json/);
			await comeBackTo(page);
			await refreshed;
		} else await on.enterCode(sent);
		await expect(on.heading(code.states.expired.title)).toBeVisible();
		await expect(page.getByRole('main')).toContainText(address);
		await on.resendButton.click();
		await expect(on.codeField).toBeVisible();
		await expect(page.getByRole('main')).toContainText(address);
	});
});

test.describe('a person who must confirm a sign-in', () => {
	test.use({ expectedTrouble: [429] });

	test('still reads so when no code can be sent', async ({
		page,
		context,
		server,
		arrive,
		passTime,
		open,
		on,
		address
	}) => {
		await arrive(address);
		await passTime(3600);
		const headers = { origin: server.address };
		const data = { email: address, type: 'sign-in' };
		// All sends of the known device.
		for (let sent = 0; sent < 5; sent += 1) {
			const answer = await context.request.post(`${server.address}${SEND}`, { headers, data });
			expect(answer.status()).toBe(200);
		}
		await open('/auth/sign-in?redirectTo=%2Fsettings%23data&again');
		await expect(on.heading(emailStep.againTitle)).toBeVisible();
		await page.getByRole('button', { name: emailStep.submit }).click();
		await expect(page.getByText(errors.tooManySends(true))).toBeVisible();
		await expect(on.heading(emailStep.againTitle)).toBeVisible();
		await expect(on.emailField).toHaveValue(address);
	});
});
