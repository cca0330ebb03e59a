import { messages } from '#lib/messages/messages.ts';
import { anotherCode } from '../../support/e2e/mail-reader.ts';
import { expect, test } from '../fixtures.ts';

const { errors, code: texts } = messages;

test.use({ expectedTrouble: [400] });

test('a wrong code shows the attempts left, and the right one still works', async ({
	page,
	open,
	on,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	const code = await receiveCode(address);
	const wrong = anotherCode(code);
	await on.enterCode(wrong);

	const text = errors.invalidCodeAttempts(4);
	await expect(page.getByText(text)).toBeVisible();
	await expect(on.codeField).toHaveAttribute('aria-invalid', 'true');
	await expect(on.codeField).toHaveAccessibleDescription(new RegExp(escaped(text)));
	await expect(on.codeField).toHaveValue(wrong);
	await expect(on.codeField).toBeFocused();

	await on.enterCode(anotherCode(code, 2));
	await expect(page.getByText(errors.invalidCodeAttempts(3))).toBeVisible();
	await on.enterCode(code);
	await expect(page).toHaveURL('/app');
});

test('after five wrong codes the page has no field, and a new code works', async ({
	page,
	passTime,
	open,
	on,
	mail,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	const code = await receiveCode(address);
	for (let wrong = 1; wrong <= 5; wrong += 1) {
		await on.enterCode(anotherCode(code, wrong));
		if (wrong < 5) {
			await expect(page.getByText(errors.invalidCodeAttempts(5 - wrong))).toBeVisible();
		}
	}
	await expect(on.alert(texts.exhausted)).toBeVisible();

	await expect(on.codeField).toHaveCount(0);
	await expect(on.resendButton).toBeDisabled();

	await passTime(31);
	await open('/auth/sign-in');
	await expect(on.alert(texts.exhausted)).toBeVisible();
	await expect(on.codeField).toHaveCount(0);
	await on.sendAgain();
	await expect(on.codeField).toHaveValue('');
	await expect(on.codeField).toBeFocused();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
});

test('an expired code gets a message and no field, and a new one works', async ({
	page,
	passTime,
	open,
	reload,
	on,
	mail,
	address,
	receiveCode
}) => {
	await open('/auth/sign-in');
	await receiveCode(address);
	await passTime(601);
	await reload();
	await expect(on.alert(texts.expired)).toBeVisible();
	await expect(on.codeField).toHaveCount(0);

	await on.sendAgain();
	await on.enterCode(await mail.codeFor(address));
	await expect(page).toHaveURL('/app');
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
