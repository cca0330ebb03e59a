import { messages } from '#lib/messages/messages.ts';
import { shownDay } from '../../support/e2e/screens.ts';
import { anotherCode } from '../../support/e2e/mail-reader.ts';
import { expect, test } from '../fixtures.ts';

const { consentSettings: texts } = messages;

test.use({ expectedTrouble: [400] });

test('a consent ticked at sign-up is stored, after any detour', async ({
	page,
	open,
	reload,
	scripted,
	receiveCode,
	on,
	address
}) => {
	await open('/auth/sign-up');
	await expect(on.consentBox).not.toBeChecked();
	await on.consentBox.check();
	await on.askForCode('ada at example');
	await expect(page.getByText(messages.errors.invalidEmail)).toBeVisible();
	await expect(on.consentBox).toBeChecked();
	const code = await receiveCode(address);
	await reload();
	await on.enterCode(anotherCode(code));
	await expect(page.getByText(messages.errors.invalidCodeAttempts(4))).toBeVisible();
	await on.enterCode(code);
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.givenOn(shownDay(new Date(), scripted)))).toBeVisible();
});

test('without a tick nothing is stored, and the user can consent later and withdraw again', async ({
	page,
	open,
	reload,
	scripted,
	receiveCode,
	on,
	inSettings,
	address
}) => {
	await open('/auth/sign-in');
	await expect(on.consentBox).toHaveCount(0);
	await open('/auth/sign-up');
	// The user changes their mind, and that counts.
	await on.consentBox.check();
	const code = await receiveCode(address);
	await on.otherAddressLink.click();
	await expect(on.consentBox).toBeChecked();
	await on.consentBox.uncheck();
	// Too soon for another email, but not for the change of mind.
	await on.askForCode(address);
	await on.enterCode(code);
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();

	await page.getByRole('button', { name: texts.agree }).click();
	await expect(page.getByText(texts.agreed)).toBeVisible();
	await reload();
	const section = inSettings.section('consent');
	await expect(section).toContainText(texts.givenOn(shownDay(new Date(), scripted)));

	await page.getByRole('button', { name: texts.withdraw }).click();
	await expect(page.getByText(texts.withdrawn)).toBeVisible();
	await reload();
	await expect(section).toContainText(texts.none);
});
