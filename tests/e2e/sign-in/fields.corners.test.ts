import { expect, test } from '../fixtures.ts';

test('the fields have hints for keyboards, password managers and one-time-code autofill', async ({
	open,
	on,
	address
}) => {
	await open('/auth/sign-up');
	await expect(on.emailField).toHaveAttribute('type', 'email');
	await expect(on.emailField).toHaveAttribute('autocomplete', 'email');
	await expect(on.emailField).not.toHaveAttribute('aria-invalid');
	await on.askForCode(address);
	await expect(on.codeField).toHaveAttribute('autocomplete', 'one-time-code');
	await expect(on.codeField).toHaveAttribute('inputmode', 'numeric');
	await expect(on.codeField).toHaveAccessibleDescription(/10 minutes/);
	await expect(on.codeField).not.toHaveAttribute('aria-invalid');
});
