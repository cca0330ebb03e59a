import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { comeBackTo } from '../../support/e2e/arrival.ts';
import { screensOf } from '../../support/e2e/screens.ts';
import { purchaseFor } from '../../support/http/own-app.ts';
import { expect, test } from '../fixtures.ts';

const { checkout, settings } = messages;

/** The requests of a page from now on, except for files and redirects that it does not follow. */
const requestsOf = (page: Page): readonly string[] => {
	const seen: string[] = [];
	page.on('request', (request) => {
		const { pathname } = new URL(request.url());
		if (pathname.startsWith('/_app/') || request.redirectedFrom() !== null) return;
		seen.push(`${request.method()} ${pathname}`);
	});
	return seen;
};

test('tabs follow a sign-in in another tab when somebody comes back to them, each to its own target', async ({
	page,
	context,
	open,
	on,
	openCodePage
}) => {
	const code = await openCodePage('/auth/sign-in?redirectTo=%2Fsettings');
	const [hostile, emailStep, other] = [
		await context.newPage(),
		await context.newPage(),
		await context.newPage()
	];
	await open('/auth/sign-in?redirectTo=https%3A%2F%2Fevil.example%2F', hostile);
	await open('/auth/sign-up?step=email&redirectTo=%2Fdocs', emailStep);
	await open('/auth/sign-in', other);
	await screensOf(other, true).enterCode(code);

	await expect(other).toHaveURL('/app');
	for (const tab of [page, hostile, emailStep]) await comeBackTo(tab);
	await expect(page).toHaveURL('/settings');
	await expect(on.heading(settings.title)).toBeVisible();
	await expect(hostile).toHaveURL('/app');
	await expect(emailStep).toHaveURL('/docs');
	// The form is not in the history any more.
	await page.goBack();
	await expect(page).toHaveURL('about:blank');
});

test('a tab follows when somebody comes back to it after a sign-in without a page', async ({
	page,
	arrive,
	freshAddress,
	openCodePage
}) => {
	await openCodePage('/auth/sign-in?redirectTo=%2Fsettings');
	await arrive(freshAddress());
	await comeBackTo(page);
	await expect(page).toHaveURL('/settings');
});

test('the checkout page follows as well, and shows what the account may see', async ({
	page,
	context,
	server,
	open,
	on,
	mail,
	address
}) => {
	await open(await purchaseFor(server, address, 'Field guide to gates'));
	await page.getByRole('button', { name: checkout.send }).click();
	await expect(on.codeField).toBeVisible();
	// This one works only on the checkout page.
	await mail.codeFor(address);
	const other = await context.newPage();
	await open('/auth/sign-in', other);
	const onOther = screensOf(other, true);
	await onOther.askForCode(address);
	await onOther.enterCode(await mail.codeFor(address));
	await expect(other).toHaveURL('/app');
	await comeBackTo(page);
	await expect(page.getByRole('banner')).toContainText(address);
	await expect(on.codeField).toHaveCount(0);
});

test('a tab with a code that is being typed keeps it, and asks the server only when somebody comes back', async ({
	page,
	on,
	passTime,
	openCodePage
}) => {
	await passTime(0);
	await openCodePage('/auth/sign-in?redirectTo=%2Fsettings');
	await on.codeField.fill('123');
	const seen = requestsOf(page);
	await comeBackTo(page);
	await expect.poll(() => seen).toEqual(['HEAD /auth/sign-in']);
	await expect(on.codeField).toBeFocused();

	// Nothing runs at intervals.
	await page.clock.runFor(9 * 60_000);
	await expect(on.codeField).toHaveValue('123');
	expect(seen).toHaveLength(1);
});
