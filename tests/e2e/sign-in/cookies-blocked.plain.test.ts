import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [403] });

test('a browser without cookies gets a message that explains what to do', async ({
	page,
	open,
	on,
	address
}) => {
	await open('/auth/sign-in');
	await page.context().clearCookies();
	await on.askForCode(address);
	await expect(page.getByText(messages.refusals.noCookie)).toBeVisible();
});
