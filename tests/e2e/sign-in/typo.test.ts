import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

test('a likely typing error in the domain blocks nothing, and one press sends the code to the suggested address', async ({
	page,
	passTime,
	open,
	on,
	mail,
	address
}) => {
	const [typo, meant] = ['@gmial.com', '@gmail.com'].map((domain) =>
		address.replace('@example.com', domain)
	) as [string, string];
	await open('/auth/sign-up');
	await on.emailField.fill(typo);
	await on.consentBox.check();
	await on.sendButton.click();

	await expect(on.heading(messages.code.states.sent.title)).toBeVisible();
	await mail.codeFor(typo);
	await passTime(31);
	await on.sendAgain();
	const instead = page.getByRole('button', {
		name: messages.emailStep.sendThere(meant),
		exact: true
	});
	await instead.click();

	await expect(instead).toHaveCount(0);
	await expect(page.locator('main input[name="email"]').first()).toHaveValue(meant);
	await expect(page.getByText(messages.code.states.sent.text)).toBeVisible();
	// The page links to the webmail of a large provider, whose site gets no referrer.
	const inbox = page.getByRole('link', { name: messages.code.openInbox('Gmail'), exact: true });
	await expect(inbox).toHaveAttribute('href', 'https://mail.google.com/');
	await expect(inbox).toHaveAttribute('rel', 'noopener noreferrer');
	await on.enterCode(await mail.codeFor(meant));
	await expect(page).toHaveURL('/app');

	// The tick made before the suggestion counts.
	await open('/settings');
	await expect(page.getByText(messages.consentSettings.given)).toBeVisible();
	expect(mail.codesSentTo(typo)).toBe(2);
});
