import { messages } from '#lib/messages/messages.ts';
import { purchaseFor } from '../../support/http/own-app.ts';
import { expect, test } from '../fixtures.ts';

const { checkout: texts } = messages;
const PRODUCT = 'Field guide to gates';

test('an unclaimed purchase goes to the account that now has its address', async ({
	page,
	server,
	arrive,
	open,
	on,
	inSettings,
	mail,
	address,
	freshAddress
}) => {
	const [first, second] = [
		await purchaseFor(server, address, PRODUCT),
		await purchaseFor(server, address, PRODUCT)
	];
	await arrive(freshAddress());
	await open('/settings');
	await inSettings.askForChange(address);
	await open(await mail.linkFor(address));
	await page.getByRole('button', { name: messages.verifyEmail.submit }).click();
	await expect(page.getByText(messages.notices['email-changed'])).toBeVisible();

	// A user signed in with the address of the purchase needs no code.
	await open(first);
	await page.getByRole('button', { name: texts.add }).click();
	await expect(on.heading(texts.done)).toBeVisible();

	// Any other user needs one, and is signed in as the owner afterwards.
	await arrive(freshAddress());
	await open(second);
	await page.getByRole('button', { name: texts.send }).click();
	await on.enterCode(await mail.codeFor(address));
	await expect(on.heading(texts.done)).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(address);
	expect(mail.welcomesTo(address)).toBe(0);
});
