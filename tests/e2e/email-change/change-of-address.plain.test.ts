import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { confirmEmailChange: texts, undoEmailChange: undo } = messages;

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
	await expect(page.getByText(messages.emailChange.waitingLink)).toBeVisible();
	await expect(page.getByText(messages.emailChange.waiting)).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(before);

	const link = await mail.linkFor(after);
	await open(link);
	await expect(page.getByRole('main')).toContainText(before);
	await expect(page.getByRole('main')).toContainText(after);
	await page.getByRole('button', { name: texts.submit }).click();
	await expect(page.getByText(messages.flashes['email-changed'])).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(after);
	await expect(inSettings.section('email').getByText(after, { exact: true })).toBeVisible();
	await expect(page.getByText(before)).toHaveCount(0);

	await open(link);
	await expect(on.heading(texts.appliedTitle)).toBeVisible();
	await expect(page.getByRole('main')).toContainText(after);
	await open('/app');
	await on.signOutButton.click();
	await expect(page).toHaveURL('/');
	await open('/auth/sign-in');
	await on.enterCode(await receiveCode(before));
	await expect(on.heading(undo.title)).toBeVisible();
	await page.getByRole('button', { name: undo.submit, exact: true }).click();
	await expect(page.getByText(messages.flashes['email-restored'])).toBeVisible();
	expect(mail.mailsSentTo('welcome mail', before)).toBe(1);
});
