import { messages } from '#lib/messages/messages.ts';
import { shownDay } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

const { accountDeleted: texts, app, errors } = messages;

test.use({ expectedTrouble: [400] });

/** The purge date of an account that is deleted now. */
const purgeDate = (scripted: boolean): string =>
	shownDay(new Date(Date.now() + 30 * 24 * 60 * 60 * 1000), scripted);

test('an account is deleted by a tick and a button, and restored by signing in', async ({
	page,
	arrive,
	open,
	scripted,
	mail,
	on,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	await inSettings.saveName('Ada');
	await expect(page.getByText(messages.profile.saved)).toBeVisible();
	await page.getByRole('button', { name: messages.deletion.submit }).click();
	// Without JavaScript, the browser itself asks for the tick.
	if (scripted) await expect(page.getByText(errors.unsure)).toBeVisible();
	else await expect(page.locator('input:invalid[name=sure]')).toHaveCount(1);
	await inSettings.deleteAccount();
	await expect(page).toHaveURL('/auth/account-deleted');
	await expect(on.heading(texts.title)).toBeVisible();
	await expect(page.getByText(texts.grace(address))).toBeVisible();
	await expect(on.signOutButton).toHaveCount(0);

	await page.getByRole('button', { name: texts.sendCode }).click();
	await on.enterCode(await mail.codeFor(address));
	await expect(on.heading(texts.title)).toBeVisible();
	await expect(page.getByText(texts.ask(address, purgeDate(scripted)))).toBeVisible();
	await expect(on.signOutButton).toHaveCount(0);
	await page.getByRole('button', { name: texts.restore }).click();
	await expect(page).toHaveURL('/app');
	await expect(page.getByText(messages.notices['account-restored'])).toBeVisible();
	await expect(on.heading(app.greetingByName('Ada'))).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(address);
});

test('a deleted account can stay deleted, and signing up with its address offers to restore it', async ({
	page,
	passTime,
	arrive,
	open,
	receiveCode,
	on,
	mail,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	await inSettings.deleteAccount();
	await expect(on.heading(texts.title)).toBeVisible();
	// Otherwise the third code would need a proof.
	await passTime(15 * 60 + 1);
	await open('/auth/sign-up');
	await on.enterCode(await receiveCode(address));
	await page.getByRole('button', { name: texts.leave }).click();
	await expect(page).toHaveURL('/');
	await open('/auth/account-deleted');
	await expect(page.getByRole('button', { name: texts.restore })).toHaveCount(0);

	await open('/auth/sign-up');
	await on.enterCode(await receiveCode(address));
	await expect(page.getByRole('button', { name: texts.restore })).toBeVisible();
	expect(mail.welcomesTo(address)).toBe(1);
});

test.describe('the offer to restore', () => {
	test.use({ expectedTrouble: [400, 403] });

	test('expires after ten minutes, and is only in the browser that entered the code', async ({
		page,
		passTime,
		arrive,
		open,
		receiveCode,
		on,
		inSettings,
		address,
		otherBrowser
	}) => {
		await arrive(address);
		await open('/settings');
		await inSettings.deleteAccount();
		await expect(on.heading(texts.title)).toBeVisible();
		await open('/auth/sign-in');
		await on.enterCode(await receiveCode(address));
		const restore = page.getByRole('button', { name: texts.restore });
		await expect(restore).toBeVisible();

		const other = await otherBrowser();
		await open('/auth/account-deleted', other);
		await expect(other.getByRole('button', { name: texts.restore })).toHaveCount(0);

		await passTime(601);
		await restore.click();
		await expect(on.alert(texts.over(address))).toBeVisible();
		await expect(restore).toHaveCount(0);
		await expect(page.getByRole('button', { name: messages.code.resend })).toBeVisible();
		await open('/app');
		await expect(page).toHaveURL('/auth/sign-in?redirectTo=%2Fapp');
	});
});
