import { messages } from '#lib/messages/messages.ts';
import { signInByCalls } from '../support/e2e-arrival.ts';
import { expect, test } from './fixtures.ts';

const { consent: texts } = messages.settings;

test('R08 a tick is not given to another email address, on either entry page', async ({
	page,
	open,
	receiveCode,
	on,
	freshAddress
}) => {
	const [a, b, c] = [freshAddress(), freshAddress(), freshAddress()];
	await open('/auth/sign-up');
	await on.consentBox.check();
	await receiveCode(a);
	// The box comes back ticked for A; whoever types another email address ticks it anew, or not.
	await on.otherAddressLink.click();
	await expect(on.consentBox).toBeChecked();
	await on.enterCode(await receiveCode(b));
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
	await on.signOutButton.click();
	await expect(page).toHaveURL('/');

	await open('/auth/sign-up?step=email');
	await expect(on.consentBox).not.toBeChecked();
	await on.consentBox.check();
	await receiveCode(a);
	await open('/auth/sign-in?step=email');
	await on.enterCode(await receiveCode(c));
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
});

test('R08 a tick is not given after a sign-out in another tab, nor on the other entry page', async ({
	page,
	context,
	server,
	mail,
	open,
	receiveCode,
	on,
	freshAddress
}) => {
	const [a, b] = [freshAddress(), freshAddress()];
	await open('/auth/sign-up');
	await on.consentBox.check();
	const code = await receiveCode(a);
	const tab = await context.newPage();
	await signInByCalls(context.request, server, mail, b);
	await open('/app', tab);
	await tab.getByRole('banner').getByRole('button', { name: messages.common.signOut }).click();
	await expect(tab).toHaveURL('/');
	await on.enterCode(code);
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
	await on.signOutButton.click();
	await expect(page).toHaveURL('/');

	await open('/auth/sign-up');
	await on.consentBox.check();
	const second = await receiveCode(a);
	await open('/auth/sign-in');
	await on.enterCode(second);
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
});

test('R08 a tick is not given after 15 minutes', async ({
	page,
	open,
	reload,
	receiveCode,
	on,
	mail,
	passTime,
	address
}) => {
	await open('/auth/sign-up');
	await on.consentBox.check();
	await receiveCode(address);
	await passTime(9 * 60);
	await reload();
	await on.resendButton.click();
	await expect.poll(() => mail.codesSentTo(address)).toBe(2);
	await passTime(6 * 60 + 1);
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
});

test('R08 a tick is not given when the code led to a deleted account, nor when that is restored', async ({
	page,
	open,
	receiveCode,
	arrive,
	inSettings,
	on,
	address
}) => {
	await arrive(address);
	await open('/settings');
	await inSettings.deleteAccount();
	await expect(page).toHaveURL('/auth/account-deleted');
	await open('/auth/sign-up');
	await on.consentBox.check();
	await on.enterCode(await receiveCode(address));
	await expect(page).toHaveURL('/auth/account-deleted');
	await page.getByRole('button', { name: messages.deleted.restore, exact: true }).click();
	await expect(page).toHaveURL(/\/app/);
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
});
