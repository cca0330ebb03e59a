import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

const { common, login } = messages;

test.use({ serverOptions: { env: { AUTH_ENTRY: 'single' } } });

test('the two entry pages redirect to the single one, and keep the requested page', async ({
	page,
	open,
	on
}) => {
	for (const path of ['/auth/sign-in', '/auth/sign-up']) {
		await open(`${path}?redirectTo=%2Fsettings`);
		await expect(page).toHaveURL('/auth/login?redirectTo=%2Fsettings');
	}
	await open('/app');
	await expect(page).toHaveURL('/auth/login?redirectTo=%2Fapp');
	await expect(on.heading(login.heading(SITE))).toBeVisible();
	await expect(page.getByRole('link', { name: common.signUp })).toHaveCount(0);
	await open('/auth/account-deleted');
	await page.getByRole('link', { name: messages.accountDeleted.signIn }).click();
	await expect(page).toHaveURL('/auth/login');
});
