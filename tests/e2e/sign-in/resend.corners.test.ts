import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { errors } = messages;

test.use({ expectedTrouble: [400] });

test('after another send the newest code works and the earlier one does not', async ({
	page,
	passTime,
	scripted,
	open,
	on,
	mail,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	const first = await receiveCode(address);
	await passTime(31);
	await on.sendAgain();
	await expect(on.codeField).toBeFocused();
	// With JavaScript, the page itself knows that the code was sent; a reload does not repeat the
	// message.
	await expect(page).toHaveURL(scripted ? '/auth/sign-in' : '/auth/sign-in?resent=');
	const second = await mail.codeFor(address);

	await on.enterCode(first);
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await on.enterCode(second);
	await expect(page).toHaveURL('/app');
	expect(mail.codesSentTo(address)).toBe(2);
});

test('asking for the same address again keeps the cooldown, and another address has none', async ({
	page,
	open,
	on,
	mail,
	address,
	freshAddress,
	receiveCode
}) => {
	const other = freshAddress();
	await open('/auth/sign-in');
	await receiveCode(address);
	await on.otherAddressLink.click();
	await on.askForCode(address);
	await expect(on.codeField).toBeFocused();
	await expect(on.resendButton).toBeDisabled();
	await on.otherAddressLink.click();
	await on.enterCode(await receiveCode(other));
	await expect(page).toHaveURL('/app');
	expect(mail.codesSentTo(address)).toBe(1);
});
