import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { emailStep: email, code: texts, common } = messages;

/** Returns a function that holds form posts until the function which it returns is called. */
const holdable = async (page: Page): Promise<() => () => Promise<void>> => {
	let released = Promise.resolve();
	// One route for the whole test: to remove one while its request is under way can lose the request.
	await page.route(
		(url) => url.pathname.startsWith('/auth/'),
		async (route) => {
			if (route.request().method() === 'POST') await released;
			await route.continue();
		}
	);
	return () => {
		let release = (): void => undefined;
		released = new Promise<void>((resolve) => (release = resolve));
		return async () => {
			release();
			await page.clock.resume();
		};
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

	const hold = await holdable(page);
	let release = hold();
	await stopClock(page);
	await on.askForCode(address);
	await expectPending(email.submit, email.sending);
	await release();
	await expect(on.codeField).toBeFocused();

	release = hold();
	await stopClock(page);
	await on.enterCode(await mail.codeFor(address));
	await expectPending(texts.submit, texts.checking);
	await release();
	await expect(page).toHaveURL('/app');

	release = hold();
	await stopClock(page);
	await on.signOutButton.click();
	await expectPending(common.signOut, common.pending);
	await release();
	await expect(page).toHaveURL('/');
});
