import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const slipOf = (address: string): string => address.replace('@example.com', '@gmial.com');
const meantBy = (address: string): string => address.replace('@example.com', '@gmail.com');

test('a likely typing error in the domain blocks nothing, and one press sends the code to the suggested address', async ({
	page,
	open,
	on,
	mail,
	address
}) => {
	const [slip, meant] = [slipOf(address), meantBy(address)];
	await open('/auth/sign-up');
	await on.emailField.fill(slip);
	await on.consentBox.check();
	await on.sendButton.click();

	await expect(on.heading(messages.code.title)).toBeVisible();
	await mail.codeFor(slip);
	await expect(page.getByText(messages.address.meant(meant))).toBeVisible();
	await page.getByRole('button', { name: messages.address.sendThere, exact: true }).click();

	await expect(page.getByText(messages.address.meant(meant))).toHaveCount(0);
	await expect(page.locator('main input[name="email"]').first()).toHaveValue(meant);
	// The page links to the webmail of a large provider, whose site gets no referrer.
	const inbox = page.getByRole('link', { name: messages.code.openInbox('Gmail'), exact: true });
	await expect(inbox).toHaveAttribute('href', 'https://mail.google.com/');
	await expect(inbox).toHaveAttribute('rel', 'noopener noreferrer');
	await on.enterCode(await mail.codeFor(meant));
	await expect(page).toHaveURL('/app');

	// The tick made before the suggestion counts.
	await open('/settings');
	await expect(page.getByText('You agreed to receive them')).toBeVisible();
	expect(mail.codesSentTo(slip)).toBe(1);
});
