import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { theme: texts } = messages;

const background = (page: Page): Promise<string> =>
	page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/** Presses a choice, and waits until the server has it. */
const choose = async (page: Page, name: string): Promise<void> => {
	const remembered = page.waitForResponse((answer) => answer.url().endsWith('/theme'));
	await page.getByRole('button', { name, exact: true }).click();
	await remembered;
};

test('a chosen theme applies immediately and stays, until the user returns to the system’s', async ({
	page,
	open
}) => {
	await page.emulateMedia({ colorScheme: 'dark' });
	await open('/auth/sign-in');
	const dark = await background(page);
	await page.emulateMedia({ colorScheme: 'light' });
	const light = await background(page);
	expect(dark).not.toBe(light);

	await choose(page, texts.dark);
	expect(await background(page)).toBe(dark);
	await expect(page.getByRole('button', { name: texts.dark })).toHaveAttribute(
		'aria-pressed',
		'true'
	);
	// The first bytes of a page contain the theme, so that no other one flashes.
	const answer = await page.reload();
	expect(await answer?.text()).toMatch(/^<!doctype html>\s*<html [^>]*data-theme="dark"/);
	expect(await background(page)).toBe(dark);

	await open('/');
	await choose(page, texts.system);
	expect(await background(page)).toBe(light);
	await page.emulateMedia({ colorScheme: 'dark' });
	expect(await background(page)).toBe(dark);
	await page.emulateMedia({ colorScheme: 'light' });
	await page.reload();
	expect(await background(page)).toBe(light);
});
