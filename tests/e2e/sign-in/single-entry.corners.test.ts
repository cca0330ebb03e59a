import { messages } from '#lib/messages/messages.ts';
import { shownDay, SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

const { common, login } = messages;

test.use({ serverOptions: { env: { AUTH_ENTRY: 'single' } } });

test('one page serves new and known users, and sends the consent with the code', async ({
	scripted,
	page,
	open,
	receiveCode,
	on,
	mail,
	address
}) => {
	await open('/');
	await page.getByRole('banner').getByRole('link', { name: common.signIn }).click();
	await expect(page).toHaveURL('/auth/login');
	await expect(on.heading(login.heading(SITE))).toBeVisible();
	await on.consentBox.check();
	const calls: string[] = [];
	page.on('request', (request) => calls.push(new URL(request.url()).pathname));
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/app');
	expect(calls).not.toContain('/api/marketing-consent');
	await open('/settings');
	await expect(
		page.getByText(messages.consentSettings.givenOn(shownDay(new Date(), scripted)))
	).toBeVisible();

	await on.signOutButton.click();
	await expect(page).toHaveURL('/');
	await open('/');
	await page.getByRole('main').getByRole('link', { name: common.signIn }).click();
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/app');
	expect(mail.welcomesTo(address)).toBe(1);
});
