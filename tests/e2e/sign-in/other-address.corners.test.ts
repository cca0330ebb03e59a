import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { expect, test } from '../fixtures.ts';

test('the address can be checked and changed after the code was sent', async ({
	page,
	open,
	on,
	mail,
	freshAddress
}) => {
	const [slip, right] = [freshAddress(), freshAddress()];
	await open('/auth/sign-up');
	await on.askForCode(slip);
	await on.otherAddressLink.click();

	await expect(on.heading(messages.signUp.heading(SITE))).toBeVisible();
	await expect(on.emailField).toHaveValue(slip);
	await expect(on.emailField).toBeFocused();
	await on.askForCode(right);

	await expect(on.heading(messages.code.title)).toBeVisible();
	// The page shows the address masked, the same for both.
	await expect(page.getByRole('main')).toContainText(right);
	await expect(page.getByRole('main').locator('input[name="email"]').first()).toHaveValue(right);
	await on.enterCode(await mail.codeFor(right));
	await expect(page).toHaveURL('/app');
	await expect(page.getByRole('banner')).toContainText(right);
});

test('the email step links back to the code page', async ({ page, open, on, mail, address }) => {
	await open('/auth/sign-in');
	await on.askForCode(address);
	await on.otherAddressLink.click();
	await page.getByRole('link', { name: messages.address.pending(address), exact: true }).click();
	await expect(on.codeField).toBeFocused();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
	expect(mail.codesSentTo(address)).toBe(1);
});
