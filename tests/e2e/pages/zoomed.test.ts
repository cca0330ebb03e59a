import type { Locator } from '@playwright/test';
import { OTP_LENGTH } from '#lib/domain/sign-in/code.ts';
import { messages } from '#lib/messages/messages.ts';
import { loaded } from '../../support/e2e/arrival.ts';
import { wrongCode } from '../../support/http/client.ts';
import { expect, test } from '../fixtures.ts';

const { errors } = messages;

// A desktop of 1280 × 1024 pixels at 400 %, of which a keyboard on the screen takes a third.
test.use({ viewport: { width: 320, height: 170 }, expectedTrouble: [400] });

/** Whether all of an element is on the screen, with nothing in front of it. */
const isInView = (element: Locator): Promise<boolean> =>
	element.evaluate((shown) => {
		const { top, bottom, left, right } = shown.getBoundingClientRect();
		const { innerHeight, innerWidth } = window;
		const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
		return (
			top >= 0 &&
			left >= 0 &&
			bottom <= innerHeight &&
			right <= innerWidth &&
			(front === shown || shown.contains(front))
		);
	});

test('the focused field stays in view, with its label, its text and its error', async ({
	page,
	open,
	reload,
	on,
	mail,
	address
}) => {
	const expectInView = async (field: Locator, label: string): Promise<void> => {
		await expect(field).toBeFocused();
		await loaded(page);
		await expect.poll(() => isInView(field)).toBe(true);
		await expect.poll(() => isInView(page.getByText(label, { exact: true }))).toBe(true);
	};
	await open('/');
	await page.getByRole('main').getByRole('link', { name: messages.common.signIn }).click();
	await expectInView(on.emailField, messages.emailStep.label);
	await on.askForCode(address);
	await expectInView(on.codeField, messages.code.label(OTP_LENGTH));
	await reload();
	await expectInView(on.codeField, messages.code.label(OTP_LENGTH));

	const sent = await mail.codeFor(address);
	await on.enterCode(wrongCode(sent));
	const error = page.getByText(errors.invalidCodeAttempts(4));
	await expect(error).toBeVisible();
	await expectInView(on.codeField, messages.code.label(OTP_LENGTH));
	await expect.poll(() => isInView(error)).toBe(true);
	await on.enterCode(sent);
	await expect(page).toHaveURL('/app');
});
