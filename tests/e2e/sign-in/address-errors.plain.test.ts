import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

test.use({ expectedTrouble: [400] });

test('an invalid email address gets an error at the field, which keeps its text', async ({
	page,
	open,
	on,
	receiveCode
}) => {
	const text = messages.errors.invalidEmail;
	await open('/auth/sign-in');
	await on.askForCode('ada at example');

	await expect(page.getByText(text)).toBeVisible();
	await expect(on.emailField).toHaveAttribute('aria-invalid', 'true');
	await expect(on.emailField).toHaveAccessibleDescription(text);
	await expect(on.emailField).toHaveValue('ada at example');
	await expect(on.emailField).toBeFocused();

	await on.enterCode(await receiveCode());
	await expect(page).toHaveURL('/app');
});
