import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { app, errors, settings } = messages;

test.use({ expectedTrouble: [400] });

test('a name is stored, and the pages greet the user with it', async ({
	page,
	arrive,
	open,
	reload,
	on,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	await inSettings.saveName('  Ada Lovelace ');
	await expect(page.getByText(messages.profile.saved)).toBeVisible();
	await expect(inSettings.nameField).toHaveValue('Ada Lovelace');
	await reload();
	await expect(inSettings.nameField).toHaveValue('Ada Lovelace');
	await page.getByRole('link', { name: settings.nav.account, exact: true }).click();
	await expect(on.heading(app.greetingByName('Ada Lovelace'))).toBeVisible();
	await reload();
	await expect(on.heading(app.greetingByName('Ada Lovelace'))).toBeVisible();
});

test('an invalid name gets an error at its field, and stays there', async ({
	page,
	arrive,
	open,
	on,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	for (const [typed, text] of [
		['a'.repeat(201), errors.longName(200)],
		['Ada\u202ELovelace', errors.invalidName]
	] as const) {
		await inSettings.saveName(typed);
		await expect(page.getByText(text)).toBeVisible();
		await expect(inSettings.nameField).toHaveAttribute('aria-invalid', 'true');
		await expect(inSettings.nameField).toHaveAccessibleDescription(new RegExp(`^${text}`));
		await expect(inSettings.nameField).toHaveValue(typed);
		await expect(page.getByText(messages.profile.saved)).toHaveCount(0);
	}
	await open('/app');
	await expect(on.heading(app.greeting)).toBeVisible();
});

test('a name typed into a page whose session had ended is there again after signing in', async ({
	page,
	arrive,
	open,
	receiveCode,
	on,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	await page.context().clearCookies({ name: 'postern_session' });
	await inSettings.saveName('Ada Lovelace');
	await expect(page).toHaveURL('/auth/sign-in?redirectTo=%2Fsettings%23profile');
	await on.enterCode(await receiveCode(address));
	await expect(page.getByText(messages.profile.kept)).toBeVisible();
	await expect(inSettings.nameField).toHaveValue('Ada Lovelace');
	await inSettings.saveName('Ada Lovelace');
	await expect(page.getByText(messages.profile.saved)).toBeVisible();
});
