import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [403] });

test('a browser that keeps no cookies is told what it takes', async ({
	page,
	open,
	on,
	address
}) => {
	await open('/auth/sign-in');
	await page.context().clearCookies();
	await on.askForCode(address);
	await expect(page.getByText(messages.faults.noCookie)).toBeVisible();
});
