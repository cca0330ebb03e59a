import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { guides } from '#lib/ui/docs/guides.ts';
import { expect, test } from '../fixtures.ts';

const { docs, header, home } = messages;
const PAGES = [
	'/docs',
	'/docs/api',
	'/docs/api/errors',
	'/docs/api/post-sign-in-email-otp',
	'/docs/search?q=code',
	...guides.map(({ slug }) => `/docs/guides/${slug}`)
];

const topOf = (page: Page, id: string): Promise<number> =>
	page.locator(`[id="${id}"]`).evaluate((element) => element.getBoundingClientRect().top);

test('the home page and the header lead to the documentation', async ({ page, open }) => {
	await open('/');
	await page.getByRole('link', { name: home.docs }).click();
	await expect(page).toHaveURL('/docs');
	await open('/');
	await page.getByRole('banner').getByRole('link', { name: header.docs }).click();
	await expect(page.getByRole('heading', { level: 1, name: docs.title })).toBeVisible();
});

test('a link to a call of the old single page leads to the page of that call', async ({
	page,
	open,
	scripted
}) => {
	await open('/docs/api#post-sign-in-email-otp');
	if (!scripted) {
		const link = page.locator('#post-sign-in-email-otp');
		await expect(link).toBeInViewport();
		await link.click();
	}
	await expect(page).toHaveURL('/docs/api/post-sign-in-email-otp');
	await expect(page.locator('.call')).toContainText('POST /api/auth/sign-in/email-otp');
});

test('a link to an error of the old single page leads to that error', async ({
	page,
	open,
	scripted
}) => {
	await open('/docs/api#error-INVALID_OTP');
	if (!scripted) {
		// The browser opens the list for the anchor.
		const link = page.locator('#error-INVALID_OTP');
		await expect(link).toBeInViewport();
		await link.click();
	}
	await expect(page).toHaveURL('/docs/api/errors#error-INVALID_OTP');
	await expect(page.locator('#error-INVALID_OTP')).toBeInViewport();
});

test('the link beside a heading leads to its section', async ({ page, open }) => {
	await open('/docs/api');
	await page
		.locator('#group-session')
		.getByRole('link', { name: /^Link to/ })
		.click();
	await expect(page).toHaveURL('/docs/api#group-session');
	await expect.poll(() => topOf(page, 'group-session')).toBeLessThan(80);
});

test('the table of contents links to the calls of a group, next to the page or folded on a phone', async ({
	page,
	open,
	isMobile
}) => {
	await open('/docs/api/get-list-sessions');
	const contents = page.getByRole('navigation', { name: docs.nav });
	const link = contents.getByRole('link', { name: 'End one session' });
	const fold = contents.getByText(docs.contents, { exact: true });
	if (isMobile) {
		await expect(link).toBeHidden();
		await fold.click();
	} else {
		await expect(fold).toBeHidden();
	}
	await link.click();
	await expect(page).toHaveURL('/docs/api/post-revoke-session');
	await expect(page.getByRole('heading', { level: 1, name: 'End one session' })).toBeVisible();
	await expect(contents.locator('[aria-current="page"]')).toHaveText('End one session');
});

test('a search finds calls, errors and guides, by keyboard', async ({ page, open }) => {
	await open('/docs');
	const field = page.getByRole('searchbox', { name: docs.search.field });
	await field.fill('revoke-session');
	await field.press('Enter');
	await expect(page).toHaveURL('/docs/search?q=revoke-session');
	await expect(field).toHaveValue('revoke-session');
	await page.getByRole('main').getByRole('link', { name: 'End one session' }).click();
	await expect(page).toHaveURL('/docs/api/post-revoke-session');
	await field.fill('no such words');
	await page.getByRole('button', { name: docs.search.submit }).click();
	await expect(page.getByRole('main').getByText(docs.search.none('no such words'))).toBeVisible();
});

test('each guide links to the next, up to the last', async ({ page, open }) => {
	await open(`/docs/guides/${guides[0].slug}`);
	for (const { title, slug } of guides) {
		await expect(page).toHaveURL(`/docs/guides/${slug}`);
		await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
		const contents = page.getByRole('navigation', { name: docs.nav });
		await expect(contents.locator('[aria-current="page"]')).toHaveText(title);
		const next = page.getByRole('navigation', { name: docs.otherGuides }).locator('[rel="next"]');
		if (slug === guides.at(-1)?.slug) await expect(next).toHaveCount(0);
		else await next.click();
	}
});

test('code can be scrolled by keyboard, and with JavaScript copied by a button', async ({
	page,
	open,
	scripted
}) => {
	await page.setViewportSize({ width: 320, height: 640 });
	await open('/docs');
	const block = page.getByRole('group', { name: 'curl, step 1' });
	await expect(block).toHaveAttribute('tabindex', '0');
	await block.focus();
	await page.keyboard.press('ArrowRight');
	await expect.poll(() => block.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
	await expect(page.getByRole('button', { name: docs.copy })).toHaveCount(scripted ? 4 : 0);
});

test('no page is wider than a small phone', async ({ page, open }) => {
	await page.setViewportSize({ width: 320, height: 640 });
	for (const path of PAGES) {
		await open(path);
		await page.locator('details').evaluateAll((folds: HTMLDetailsElement[]) => {
			for (const fold of folds) fold.open = true;
		});
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		expect(width, path).toBeLessThanOrEqual(320);
	}
});
