import type { Page } from '@playwright/test';
import { maskEmail, type Email } from '#lib/domain/email.ts';
import { messages } from '#lib/messages/messages.ts';
import { comeBackTo } from '../support/e2e/arrival.ts';
import { wrongCode } from '../support/http/client.ts';
import { purchaseFor } from '../support/http/own-app.ts';
import { expect, test } from './fixtures.ts';

const { checkout: texts, errors } = messages;
const PRODUCT = 'Field guide to gates';

test.use({ expectedTrouble: [400, 404] });

/** A visitor with the link may not be the buyer: no page contains the address, visible or not. */
const expectNoAddress = async (page: Page, address: string): Promise<void> => {
	expect(await page.content()).not.toContain(address);
};

test('a purchase of a new user creates an account, by a code to the address of the purchase', async ({
	page,
	server,
	passTime,
	open,
	reload,
	on,
	mail,
	address
}) => {
	await open(await purchaseFor(server, address, PRODUCT));
	await expect(on.heading(texts.title)).toBeVisible();
	await expect(page.getByText(texts.claim(masked(address)))).toBeVisible();
	await expectNoAddress(page, address);
	await page.getByRole('button', { name: texts.send }).click();
	await expect(page.getByText(messages.code.states.sent.text)).toBeVisible();
	await expectNoAddress(page, address);

	const first = await mail.codeFor(address);
	await on.enterCode(wrongCode(first));
	await expect(page.getByText(errors.invalidCodeAttempts(4))).toBeVisible();
	await expectNoAddress(page, address);
	await passTime(31);
	await reload();
	await on.sendAgain();
	await expectNoAddress(page, address);
	await on.enterCode(await mail.codeFor(address));

	await expect(on.heading(texts.done)).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(address);
	await expect.poll(() => mail.mailsSentTo('welcome mail', address)).toBe(1);
	await page.getByRole('link', { name: texts.open }).click();
	await expect(page).toHaveURL('/app');
});

test('a code page that is open until its code is forgotten offers to send another one', async ({
	page,
	server,
	passTime,
	open,
	on,
	mail,
	address,
	scripted
}) => {
	await open(await purchaseFor(server, address, PRODUCT));
	await page.getByRole('button', { name: texts.send }).click();
	await expect(on.codeField).toBeVisible();
	const sent = await mail.codeFor(address);
	await passTime(1201);
	if (scripted) await comeBackTo(page);
	else {
		await on.enterCode(sent);
		await expect(page.getByText(errors.expiredCode)).toBeVisible();
	}
	await expect(page.getByText(texts.claim(masked(address)))).toBeVisible();
	await page.getByRole('button', { name: texts.send }).click();
	await expect(on.codeField).toBeVisible();
});

const masked = (address: string): string => maskEmail(address as Email);
