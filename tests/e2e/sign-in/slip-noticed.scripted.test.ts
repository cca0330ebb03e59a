import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

test('the page suggests a correction as soon as the user pauses, and one press applies it', async ({
	page,
	open,
	on,
	mail,
	address
}) => {
	const meant = address.replace('@example.com', '@gmail.com');
	await open('/auth/sign-in');
	await on.emailField.fill(address.replace('@example.com', '@gmail.con'));
	const question = page.getByRole('button', { name: messages.address.meant(meant), exact: true });
	await question.click();

	await expect(on.emailField).toHaveValue(meant);
	await expect(on.emailField).toBeFocused();
	await expect(question).toHaveCount(0);
	await on.emailField.press('Enter');
	await expect(on.codeField).toBeFocused();
	expect(mail.codesSentTo(meant)).toBe(1);
});
