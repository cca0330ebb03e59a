import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { SITE } from '../../support/e2e/screens.ts';
import { loaded } from '../../support/e2e/arrival.ts';
import { anotherCode } from '../../support/e2e/mail-reader.ts';
import { expect, test } from '../fixtures.ts';

const { code: texts, errors, faultPages, home, signIn, signOut, signUp, app } = messages;
const WIDTH = 320;

test.use({
	viewport: { width: WIDTH, height: 640 },
	expectedTrouble: [400, 403, 404, 429]
});

/** Whether an element overflows to the side, in either colour scheme. */
const expectToFit = async (page: Page): Promise<void> => {
	await loaded(page);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		const width = await page.evaluate(() => {
			const boxes = [...document.querySelectorAll('body *')].map((element) =>
				element.getBoundingClientRect()
			);
			return Math.max(
				document.documentElement.scrollWidth,
				...boxes.map((box) => Math.floor(box.right))
			);
		});
		expect(width, `${page.url()}, ${colorScheme}`).toBeLessThanOrEqual(WIDTH);
	}
};

test('no page is wider than a small phone, however long the address', async ({
	page,
	passTime,
	open,
	on,
	mail,
	freshAddress
}) => {
	const address = `${'long'.repeat(9)}-${freshAddress().replace('@', `@${'mail'.repeat(12)}.`)}`;

	await open('/');
	await expect(on.heading(home.title)).toBeVisible();
	await expectToFit(page);
	await page.goto('/docs');
	await expectToFit(page);
	await open('/docs/no-such-page');
	await expect(on.heading(faultPages.notFound.title)).toBeVisible();
	await expectToFit(page);
	await open('/auth/sign-up');
	await expect(on.heading(signUp.heading(SITE))).toBeVisible();
	await expectToFit(page);
	await open('/auth/sign-in');
	await expect(on.heading(signIn.heading(SITE))).toBeVisible();
	await expectToFit(page);
	await on.askForCode('x'.repeat(200));
	await expect(page.getByText(errors.invalidEmail)).toBeVisible();
	await expectToFit(page);

	await on.askForCode(address);
	await expect(on.heading(texts.title)).toBeVisible();
	await expectToFit(page);
	const first = await mail.codeFor(address);
	await on.otherAddressLink.click();
	await expect(on.emailField).toHaveValue(address);
	await expectToFit(page);
	await page.getByRole('link', { name: messages.address.pending(address) }).click();
	await on.enterCode(anotherCode(first));
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await expectToFit(page);
	for (let wrong = 2; wrong <= 5; wrong += 1) {
		await on.enterCode(anotherCode(first, wrong));
		if (wrong < 5) {
			await expect(page.getByText(errors.invalidCodeAttempts(5 - wrong))).toBeVisible();
		}
	}
	await expect(on.alert(texts.exhausted)).toBeVisible();
	await expectToFit(page);
	await passTime(31);
	await on.sendAgain();
	await expectToFit(page);

	await on.enterCode(await mail.codeFor(address));
	await expect(on.heading(app.greeting)).toBeVisible();
	await expectToFit(page);
	await open('/');
	await expect(on.heading(home.back)).toBeVisible();
	await expectToFit(page);
	await open('/auth/sign-out');
	await expect(on.heading(signOut.title)).toBeVisible();
	await expectToFit(page);
});
