import type { Page } from '@playwright/test';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { messages } from '#lib/messages/messages.ts';
import { sendFromElsewhere } from '../../support/e2e/arrival.ts';
import { expect, test } from '../fixtures.ts';

const { proof, address: words } = messages;
const WORKER = '**/solver.worker*';
const ENTRY = '/auth/sign-in?step=email';

test.use({ expectedTrouble: [403, 429, 'no answer'] });

/** Uses up the sends that need no proof from the network of a page. */
const useFree = async (page: Page, email: string): Promise<void> => {
	for (let sent = 0; sent < defaultPolicy.throttle.networkFree; sent += 1) {
		const url = '/api/auth/email-otp/send-verification-otp';
		const answer = await page.request.post(url, { data: { email, type: 'sign-in' } });
		expect(answer.status()).toBe(200);
	}
};

test('a page that cannot solve it waits; an edited form starts anew', async ({
	page,
	passTime,
	open,
	on,
	mail,
	address,
	freshAddress
}) => {
	await useFree(page, address);
	await passTime(0);
	await page.route(WORKER, (route) => route.abort());
	await open(ENTRY);
	await on.askForCode(address);
	const proceed = page.getByRole('button', { name: proof.proceed, exact: true });
	await expect(proceed).toBeDisabled();
	await on.emailField.fill(freshAddress());
	await expect(page.getByText(proof.why.send)).toBeHidden();
	await expect(on.sendButton).toBeEnabled();
	await on.askForCode(address);
	await expect(proceed).toBeDisabled();
	await expect(proceed).toHaveText(`${proof.proceed} ${messages.common.inTime(20)}`);
	await passTime(20);
	await expect(page.getByText(proof.ready(proof.proceed))).toBeVisible();
	await proceed.click();
	await expect(on.codeField).toBeVisible();
	expect(mail.codesSentTo(address)).toBe(3);
});

test('a page whose solution is refused submits it once, and leaves the rest to the person', async ({
	page,
	open,
	on,
	mail,
	address
}) => {
	await useFree(page, address);
	const solution = JSON.stringify({ counter: 0, derivedKey: '0'.repeat(64) });
	const body = `self.onmessage = () => self.postMessage(${solution});`;
	await page.route(WORKER, (route) => route.fulfill({ contentType: 'text/javascript', body }));
	let posts = 0;
	page.on('request', (request) => (posts += Number(request.method() === 'POST')));
	await open(ENTRY);
	await on.askForCode(address);
	await expect(page.getByText(proof.again)).toBeVisible();
	await expect(on.sendButton).toBeEnabled();
	expect(posts).toBe(2);
	await page.unroute(WORKER);
	await on.sendButton.click();
	await expect(on.codeField).toBeVisible();
	expect([posts, mail.codesSentTo(address)]).toEqual([4, 3]);
});

test('a page that stays open gets the next free send', async ({
	page,
	passTime,
	server,
	open,
	on,
	mail,
	address
}) => {
	await sendFromElsewhere(server, address, 5);
	await passTime(12 * 60);
	await open(ENTRY);
	await on.askForCode(address);
	await expect(page.getByText(proof.waiting)).toBeVisible();
	const button = page.getByRole('button', { name: words.submit });
	await expect(button).toBeDisabled();
	await expect(button).toHaveText(/in (?:3 min 0 s|2 min 5\d s)/);
	await passTime(3 * 60);
	await expect(on.codeField).toBeVisible();
	expect(mail.codesSentTo(address)).toBe(6);
});
