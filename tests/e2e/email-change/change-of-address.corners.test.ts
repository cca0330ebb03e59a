import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { verifyEmail: texts, undoEmailChange: undo, errors, mail: words } = messages;

test.use({ expectedTrouble: [400] });

test('an address is changed by the link, is used everywhere from then on, and can be changed back', async ({
	page,
	arrive,
	open,
	receiveCode,
	on,
	inSettings,
	mail,
	freshAddress
}) => {
	const [before, after] = [freshAddress(), freshAddress()];
	await arrive(before);
	await open('/settings');
	await inSettings.askForChange(after);
	await expect(page.getByText(messages.emailChange.waitingLink(words.time(60)))).toBeVisible();
	await expect(page.getByText(messages.emailChange.waiting)).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(before);

	const link = await mail.linkFor(after);
	await open(link);
	await expect(page.getByRole('main')).toContainText(before);
	await expect(page.getByRole('main')).toContainText(after);
	await page.getByRole('button', { name: texts.submit }).click();
	await expect(page.getByText(messages.notices['email-changed'])).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(after);
	await expect(inSettings.section('email').getByText(after, { exact: true })).toBeVisible();
	await expect(page.getByText(before)).toHaveCount(0);

	await open(link);
	await expect(on.heading(texts.appliedTitle)).toBeVisible();
	await expect(page.getByRole('main')).toContainText(after);
	await on.signOutButton.click();
	await expect(page).toHaveURL('/');
	await open('/auth/sign-in');
	await on.enterCode(await receiveCode(before));
	await expect(on.heading(undo.title)).toBeVisible();
	await page.getByRole('button', { name: undo.submit, exact: true }).click();
	await expect(page.getByText(messages.notices['email-restored'])).toBeVisible();
	expect(mail.welcomesTo(before)).toBe(1);
});

test('a pending change can be cancelled, and its link is refused then', async ({
	page,
	open,
	reload,
	on,
	inSettings,
	requestChange
}) => {
	const { before, after, link } = await requestChange();
	await open('/settings');
	await expect(page.getByText(messages.emailChange.waitingLink(words.time(60)))).toBeVisible();
	await expect(inSettings.section('email')).toContainText(after);

	await page.getByRole('button', { name: messages.emailChange.cancel }).click();
	await expect(page.getByText(messages.emailChange.cancelled)).toBeVisible();
	await expect(page.getByText(after)).toHaveCount(0);
	await reload();
	await expect(page.getByText(messages.emailChange.waiting)).toHaveCount(0);

	await open(link);
	await expect(on.heading(texts.refusedTitle)).toBeVisible();
	await expect(on.alert(texts.refused)).toBeVisible();
	await page.getByRole('link', { name: texts.settings }).click();
	await expect(inSettings.section('email').getByText(before, { exact: true })).toBeVisible();
});

test('a link opened in a signed-out browser requires a sign-in, then the press', async ({
	page,
	open,
	receiveCode,
	on,
	otherBrowser,
	requestChange
}) => {
	const { before, after, link } = await requestChange(await otherBrowser());

	await open(link);
	await expect(page).toHaveURL('/auth/verify-email');
	await expect(page.getByText(texts.signedOut)).toBeVisible();
	await page.getByRole('main').getByRole('link', { name: messages.common.signIn }).click();
	await on.enterCode(await receiveCode(before));
	await page.getByRole('button', { name: texts.submit }).click();
	await expect(page.getByText(messages.notices['email-changed'])).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(after);
});

test('an invalid new address gets an error at its field, and stays there', async ({
	page,
	scripted,
	arrive,
	open,
	inSettings,
	address
}) => {
	await arrive(address);
	await open('/settings');
	const field = inSettings.newEmailField();
	for (const [typed, text] of [
		['ada at example', errors.invalidEmail],
		[address.toUpperCase(), errors.sameEmail]
	] as const) {
		await inSettings.askForChange(typed);
		await expect(page.getByText(text)).toBeVisible();
		await expect(field).toHaveAttribute('aria-invalid', 'true');
		await expect(field).toHaveAccessibleDescription(new RegExp(`^${text}`));
		await expect(field).toHaveValue(typed);
		// A page that was loaded again shows the section of the form.
		if (!scripted) await expect(page).toHaveURL(/#email$/);
	}
});
