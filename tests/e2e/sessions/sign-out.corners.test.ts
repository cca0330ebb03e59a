import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

test('signing out ends the session, and going back shows nothing private', async ({
	page,
	arrive,
	open,
	goBack,
	reload,
	on,
	address
}) => {
	await arrive(address);
	await open('/app');
	await page.getByRole('link', { name: messages.settings.nav.settings, exact: true }).click();
	await expect(on.heading(messages.settings.title)).toBeVisible();
	await on.signOutButton.click();
	await expect(page).toHaveURL('/');
	await expect(page.getByText(messages.notices['signed-out'])).toBeVisible();
	await expect(page.getByText(address)).toHaveCount(0);
	await expect(on.signOutButton).toHaveCount(0);

	await goBack();
	await reload();
	await expect(page.getByText(address)).toHaveCount(0);
	await expect(on.heading(messages.app.greeting)).toHaveCount(0);

	await open('/app');
	await expect(on.heading(messages.signIn.heading(SITE))).toBeVisible();
	await expect(page).toHaveURL('/auth/sign-in?redirectTo=%2Fapp');
	await expect(on.emailField).toHaveValue('');
	await expect(page.getByText(messages.notices['signed-out'])).toHaveCount(0);
});

test('the sign-out page asks first, and offers to stay', async ({
	page,
	arrive,
	open,
	on,
	address
}) => {
	await arrive(address);
	await open('/auth/sign-out');
	const main = page.getByRole('main');
	await expect(on.heading(messages.signOut.title)).toBeVisible();
	await expect(main).toContainText(address);
	await main.getByRole('link', { name: messages.signOut.stay }).click();
	await expect(page).toHaveURL('/app');

	await open('/auth/sign-out');
	await main.getByRole('button', { name: messages.common.signOut }).click();
	await expect(page).toHaveURL('/');
	await open('/auth/sign-out');
	await expect(page).toHaveURL('/');
});

test('a sign-in of another user in the same browser ends the earlier session', async ({
	page,
	arrive,
	signIn,
	open,
	on,
	freshAddress
}) => {
	const [first, second] = [freshAddress(), freshAddress()];
	await arrive(first);
	await open('/app');
	await on.signOutButton.click();
	await expect(page).toHaveURL('/');
	await signIn(second);
	await expect(page.getByRole('banner')).toContainText(second);
	await expect(page.getByText(first)).toHaveCount(0);
});
