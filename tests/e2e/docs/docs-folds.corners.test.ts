import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { docs } = messages;

test.beforeEach(({ page }) => page.setViewportSize({ width: 412, height: 839 }));

test('on a phone, a search result opens the folded part that it leads to', async ({
	page,
	open
}) => {
	for (const [query, path] of [
		['INVALID_OTP', '/docs/api/errors#error-INVALID_OTP'],
		['emailVerified', '/docs/api/schemas#schema-User']
	] as const) {
		await open(`/docs/search?q=${query}`);
		await page.getByRole('main').locator(`a[href$="${path}"]`).click();
		await expect(page).toHaveURL(path);
		const target = path.slice(path.indexOf('#'));
		await expect(page.locator(target)).toBeInViewport();
		// What the part is called is above it, and still on the screen.
		await expect(page.locator(`details:has(> ${target}) > summary`)).toBeInViewport();
	}
});

test('on a phone, a page with an anchor opens the folded part, and the others stay folded', async ({
	page,
	open
}) => {
	await open('/docs/api/errors');
	await expect(page.locator('#error-OTP_EXPIRED')).toBeHidden();
	await open('/docs/api/errors#error-INVALID_OTP');
	await expect(page.locator('#error-INVALID_OTP')).toBeInViewport();
	await expect(page.locator('#error-OTP_EXPIRED')).toBeHidden();
});

test('a part that is folded on a phone is open on a wider screen', async ({ page, open }) => {
	await open('/docs/api');
	const call = page.locator('#get-list-sessions');
	await expect(call).toBeHidden();
	await page.getByText(docs.calls(6), { exact: true }).first().click();
	await expect(call).toBeVisible();
	await open('/docs/api');
	await expect(call).toBeHidden();
	await page.setViewportSize({ width: 1280, height: 800 });
	await expect(call).toBeVisible();
	await expect(page.getByText(docs.calls(6), { exact: true }).first()).toBeHidden();
});
