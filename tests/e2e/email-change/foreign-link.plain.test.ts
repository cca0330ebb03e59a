import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { verifyEmail: texts } = messages;

test('another user’s link is refused, changes neither account, and offers to sign out', async ({
	page,
	arrive,
	open,
	on,
	inSettings,
	address: mine,
	otherBrowser,
	requestChange
}) => {
	const asker = await otherBrowser();
	const { before: theirs, after, link } = await requestChange(asker);

	await arrive(mine);
	await open(link);
	await expect(on.heading(texts.refusedTitle)).toBeVisible();
	await expect(on.alert(texts.refused)).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(mine);
	await expect(page.getByText(after)).toHaveCount(0);
	await open('/settings');
	await expect(inSettings.section('email')).toContainText(mine);
	await open('/settings', asker);
	await expect(inSettings.section('email', asker)).toContainText(theirs);

	await open(link);
	await page.getByRole('button', { name: texts.switchAccount }).click();
	await expect(page.getByText(messages.notices['signed-out'])).toBeVisible();
	await expect(page.getByText(texts.signedOut)).toBeVisible();
});
