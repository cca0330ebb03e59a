import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

const { app, code, home, signIn: texts, signUp } = messages;

test('a new user signs up from the home page', async ({ page, open, on, mail, address }) => {
	await open('/');
	await expect(on.heading(home.title)).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: messages.common.signUp }).click();

	await expect(on.heading(signUp.heading(SITE))).toBeVisible();
	await expect(page).toHaveTitle(new RegExp(`^${signUp.title}`));
	await expect(on.emailField).toBeFocused();
	await on.askForCode(address);

	await expect(on.heading(code.title)).toBeVisible();
	await expect(page.getByRole('main')).toContainText(address);
	await expect(on.codeField).toBeFocused();
	await expect(on.codeField).toHaveValue('');
	await on.enterCode(await mail.codeFor(address));

	await expect(page).toHaveURL('/app');
	await expect(on.heading(app.greeting)).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(address);
	await expect.poll(() => mail.welcomesTo(address)).toBe(1);
	expect(mail.codesSentTo(address)).toBe(1);
});

test('a known user signs in and gets no second welcome email', async ({
	page,
	register,
	open,
	on,
	mail,
	address,
	receiveCode
}) => {
	await register(address);
	await open('/');
	await page.getByRole('main').getByRole('link', { name: messages.common.signIn }).click();
	await expect(on.heading(texts.heading(SITE))).toBeVisible();
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/app');
	await expect(page.getByRole('banner')).toContainText(address);
	expect(mail.welcomesTo(address)).toBe(1);
});

test('a browser that comes back continues with one press', async ({
	page,
	context,
	open,
	on,
	mail,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/app');
	await context.clearCookies({ name: /session|cache/ });
	await open('/auth/sign-in');
	await on.continueAs(address).click();
	await expect(on.codeField).toBeFocused();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
	expect(mail.codesSentTo(address)).toBe(2);
});
