import { messages } from '#lib/messages/messages.ts';
import { openDatabase } from '../../support/http/database.ts';
import { expect, test } from '../fixtures.ts';

test('a page that waits for a code says that its email bounced when the person comes back', async ({
	page,
	open,
	on,
	server,
	address
}) => {
	const comeBack = () =>
		page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
	await open('/auth/sign-up');
	await on.askForCode(address);
	await expect(on.codeField).toBeFocused();
	const database = openDatabase(server.databaseUrl);
	await database.rows(`update verification set bounced_at = 1 where email = '${address}'`);
	await database.close();

	await on.codeField.fill('12');
	await comeBack();
	await on.codeField.fill('');
	await expect(on.alert(messages.code.bounced(address))).toHaveCount(0);
	await comeBack();
	await expect(on.alert(messages.code.bounced(address))).toBeVisible();
	await page.getByRole('link', { name: messages.code.correct }).click();
	await expect(on.emailField).toHaveValue(address);
});
