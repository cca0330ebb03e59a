import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { emailChange: texts } = messages;

test.use({ serverOptions: { env: { EMAIL_CHANGE_LINK: 'off' } } });

test('with links disabled, the settings say so and show no form', async ({
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
	await expect(inSettings.section('email')).toContainText(address);
});
