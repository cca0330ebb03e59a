import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { guides } from '#lib/ui/docs/guides.ts';
import { expect, test } from '../fixtures.ts';

const { docs, header, home } = messages;
const PAGES = ['/docs', '/docs/api', ...guides.map(({ slug }) => `/docs/guides/${slug}`)];

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

test('a deep link opens the reference at its call', async ({ page, open }) => {
	await open('/docs/api#post-sign-in-email-otp');
	await expect(page.locator('#post-sign-in-email-otp')).toBeInViewport();
	await expect.poll(() => topOf(page, 'post-sign-in-email-otp')).toBeLessThan(80);
	await expect(page.locator('#post-sign-in-email-otp .call')).toContainText(
		'POST /api/auth/sign-in/email-otp'
	);
});

test('the link beside a heading leads to its call', async ({ page, open }) => {
	await open('/docs/api');
	const call = page.locator('#get-list-sessions');
	await call.getByRole('link', { name: /^Link to/ }).click();
	await expect(page).toHaveURL('/docs/api#get-list-sessions');
	await expect.poll(() => topOf(page, 'get-list-sessions')).toBeLessThan(80);
});

test('the table of contents links to a call, next to the page or folded on a phone', async ({
	page,
	open,
	isMobile
}) => {
	await open('/docs/api');
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
	await expect(page).toHaveURL('/docs/api#post-revoke-session');
	await expect(page.locator('#post-revoke-session')).toBeInViewport();
	if (!isMobile) await expect(link).toBeInViewport();
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
	const block = page.getByRole('group', { name: docs.step(1) });
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
		for (const summary of await page.locator('summary').all()) {
			if (await summary.isVisible()) await summary.click();
		}
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		expect(width, path).toBeLessThanOrEqual(320);
	}
});
