import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { app, common, home } = messages;

/** A mark on the window, which a reload would remove. */
const mark = (page: Page): Promise<void> =>
	page.evaluate(() => void Object.assign(window, { marked: true }));
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'marked' in window);

test('the pages update the account after signing in and out without a reload', async ({
	page,
	open,
	receiveCode,
	on,
	address
}) => {
	const banner = page.getByRole('banner');
	await open('/');
	await mark(page);
	await page.getByRole('main').getByRole('link', { name: common.signIn }).click();
	await expect(banner).not.toContainText(address);
	await on.enterCode(await receiveCode());
	await expect(banner).toContainText(address);
	await expect(on.heading(app.greeting)).toBeVisible();
	await banner.getByRole('link').first().click();
	await expect(page.getByRole('link', { name: home.openApp })).toBeVisible();

	await on.signOutButton.click();
	await expect(page.getByRole('link', { name: home.openApp })).toHaveCount(0);
	await expect(banner).not.toContainText(address);
	await expect(page.getByRole('main').getByRole('link', { name: common.signIn })).toBeVisible();
	expect(await isMarked(page)).toBe(true);
});

test('a confirmed email change shows in the header without a reload', async ({
	page,
	arrive,
	open,
	inSettings,
	mail,
	freshAddress
}) => {
	const after = freshAddress();
	await arrive(freshAddress());
	await open('/settings');
	await inSettings.askForChange(after);
	// The next page would report the request, if this one did not.
	await expect(inSettings.section('email')).toContainText(messages.emailChange.waiting);
	let documents = 0;
	page.on('request', (request) => (documents += request.resourceType() === 'document' ? 1 : 0));
	await open(await mail.linkFor(after));
	await page.getByRole('button', { name: messages.confirmEmailChange.submit }).click();
	await expect(page.getByText(messages.flashes['email-changed'])).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(after);
	// The link, and the page that it leads to without its token.
	expect(documents).toBe(2);
});

test.describe('without a network', () => {
	test.use({ expectedTrouble: ['no answer'] });

	test('a sign-out without a connection shows an error, and works once the connection is back', async ({
		page,
		context,
		arrive,
		open,
		on,
		address
	}) => {
		await arrive(address);
		await open('/app');
		await context.setOffline(true);
		await on.signOutButton.click();
		await expect(on.alert(common.unreachable)).toBeVisible();
		await context.setOffline(false);
		await on.signOutButton.click();
		await expect(page).toHaveURL('/');
		await expect(on.signOutButton).toHaveCount(0);
	});
});
