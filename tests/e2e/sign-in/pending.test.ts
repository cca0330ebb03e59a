import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { address: email, code: texts, common } = messages;

/** Holds the responses to form posts until the returned function is called. */
const holdPosts = async (page: Page): Promise<() => Promise<void>> => {
	let release = (): void => undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	const matches = (url: URL): boolean => url.pathname.startsWith('/auth/');
	await page.route(matches, async (route) => {
		if (route.request().method() === 'POST') await released;
		await route.continue();
	});
	return async () => {
		release();
		await page.clock.resume();
		await page.unroute(matches);
	};
};

/** Stops the clock of the page. Only the test moves it on. */
const stopClock = async (page: Page): Promise<void> => {
	const now = await page.evaluate(() => Date.now());
	await page.clock.pauseAt(now + 5000);
};

test('a press shows and announces within 300 ms that something happens, and a fast response shows nothing', async ({
	page,
	passTime,
	open,
	on,
	mail,
	address
}) => {
	await passTime(0);
	await open('/auth/sign-in');
	const expectPending = async (usual: string, label: string): Promise<void> => {
		const button = (name: string) => page.getByRole('button', { name, exact: true });
		const announced = page.getByRole('status').filter({ hasText: label });
		await expect(button(usual)).toBeVisible();
		const width = (await button(usual).boundingBox())?.width ?? 0;
		await page.clock.runFor(200);
		await expect(button(usual)).toBeVisible();
		await expect(announced).toHaveCount(0);
		await page.clock.runFor(100);
		await expect(button(label)).toBeVisible();
		await expect(button(label).getByText(label)).toBeInViewport();
		await expect(announced).toHaveCount(1);
		expect((await button(label).boundingBox())?.width).toBeGreaterThanOrEqual(width);
	};

	let release = await holdPosts(page);
	await stopClock(page);
	await on.askForCode(address);
	await expectPending(email.submit, email.sending);
	await release();
	await expect(on.codeField).toBeFocused();

	release = await holdPosts(page);
	await stopClock(page);
	await on.enterCode(await mail.codeFor(address));
	await expectPending(texts.submit, texts.checking);
	await release();
	await expect(page).toHaveURL('/app');

	release = await holdPosts(page);
	await stopClock(page);
	await on.signOutButton.click();
	await expectPending(common.signOut, common.pending);
	await release();
	await expect(page).toHaveURL('/');
});
