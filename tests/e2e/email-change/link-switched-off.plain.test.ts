import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { emailChange: texts } = messages;

test.use({ serverOptions: { env: { EMAIL_CHANGE_LINK: 'off' } } });

test('where links are switched off, the settings say so instead of asking', async ({
	page,
	arrive,
	open,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	await expect(page.getByText(texts.off)).toBeVisible();
	await expect(inSettings.newEmailField()).toHaveCount(0);
	await expect(inSettings.section('email').getByRole('definition')).toHaveText(address);
});
