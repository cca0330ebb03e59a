import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { SERVERS } from '../../support/pages/visit.ts';
import { expect, test } from '../fixtures.ts';

const { common, login } = messages;

test.use({ serverOptions: SERVERS.other });

test('one page serves new and known users, and the consent is sent with the code', async ({
	page,
	open,
	receiveCode,
	on
}) => {
	await open('/');
	await page.getByRole('main').getByRole('link', { name: common.signIn }).click();
	await expect(page).toHaveURL('/auth/login');
	await expect(on.heading(login.heading(SITE))).toBeVisible();
	await on.consentBox.check();
	const calls: string[] = [];
	page.on('request', (request) => calls.push(new URL(request.url()).pathname));
	await on.enterCode(await receiveCode());
	await expect(page).toHaveURL('/app');
	expect(calls).not.toContain('/api/marketing-consent');
	await open('/settings');
	await expect(page.getByText(messages.consentSettings.given)).toBeVisible();
});
