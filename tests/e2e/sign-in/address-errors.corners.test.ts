import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { errors } = messages;

test.use({ expectedTrouble: [400] });

for (const [what, typed, text] of [
	['an empty email field', '', errors.emptyEmail],
	['an invalid email address', 'ada at example', errors.invalidEmail]
] as const) {
	test(`${what} gets an error at the field, which keeps its text`, async ({
		page,
		open,
		on,
		address,
		receiveCode
	}) => {
		await open('/auth/sign-in');
		await on.askForCode(typed);

		await expect(page.getByText(text)).toBeVisible();
		await expect(on.emailField).toHaveAttribute('aria-invalid', 'true');
		await expect(on.emailField).toHaveAccessibleDescription(text);
		await expect(on.emailField).toHaveValue(typed);
		await expect(on.emailField).toBeFocused();

		await on.enterCode(await receiveCode(address));
		await expect(page).toHaveURL('/app');
	});
}
