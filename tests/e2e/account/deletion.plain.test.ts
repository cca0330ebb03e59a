import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { accountDeleted: texts, app, errors } = messages;

test.use({ expectedTrouble: [400] });

/** The purge date of an account that is deleted now: of the browser’s day, or in UTC without JavaScript. */
const purgeDate = (scripted: boolean): string => {
	const at = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000);
	const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
	return scripted ? messages.common.day(local) : messages.common.date(at);
};

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
	await inSettings.openDeletion();
	await page.getByRole('button', { name: messages.deletion.submit }).click();
	// Without JavaScript, the browser itself asks for the tick.
	if (scripted) await expect(page.getByText(errors.unsure)).toBeVisible();
	else await expect(page.locator('input:invalid[name=sure]')).toHaveCount(1);
	await inSettings.deleteAccount();
	await expect(page).toHaveURL('/auth/account-deleted');
	await expect(on.heading(texts.title)).toBeVisible();
	await expect(page.getByText(texts.grace(texts.account(address)))).toBeVisible();
	await expect(on.signOutButton).toHaveCount(0);

	await page.getByRole('button', { name: texts.sendCode }).click();
	await on.enterCode(await mail.codeFor(address));
	await expect(on.heading(texts.askTitle)).toBeVisible();
	await expect(
		page.getByText(texts.ask(texts.account(address), purgeDate(scripted)))
	).toBeVisible();
	await expect(on.signOutButton).toHaveCount(0);
	await page.getByRole('button', { name: texts.restore }).click();
	await expect(page).toHaveURL('/app');
	await expect(page.getByText(messages.flashes['account-restored'])).toBeVisible();
	await expect(on.heading(app.greetingByName('Ada'))).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(address);
});
