import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

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
	await on.enterCode(await receiveCode());
	await expect(page.getByText(messages.profile.kept)).toBeVisible();
	await expect(inSettings.nameField).toHaveValue('Ada Lovelace');
	await inSettings.saveName('Ada Lovelace');
	await expect(page.getByText(messages.profile.saved)).toBeVisible();
});
