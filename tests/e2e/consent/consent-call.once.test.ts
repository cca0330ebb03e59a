import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const CONSENT = '/api/marketing-consent';
const { consentSettings: texts } = messages;

/** The posts of this page from now on: path and body. */
const postsOf = (page: Page): [string, string][] => {
	const posts: [string, string][] = [];
	page.on('request', (request) => {
		if (request.method() !== 'POST') return;
		posts.push([new URL(request.url()).pathname, request.postData() ?? '']);
	});
	return posts;
};

test('a ticked consent is sent in a call of its own, once there is a session', async ({
	page,
	open,
	receiveCode,
	on,
	address
}) => {
	await open('/auth/sign-up');
	await on.consentBox.check();
	const posts = postsOf(page);
	const code = await receiveCode(address);
	expect(posts.map(([, body]) => body).join()).not.toMatch(/consent/i);
	const answer = page.waitForResponse((response) => response.url().includes(CONSENT));
	await on.enterCode(code);
	expect((await answer).status()).toBe(200);
	// Names the text that the person read.
	const wording = new URL((await answer).url()).searchParams.get('wording');
	expect(wording).toBe(messages.consent.version);
	await expect(page).toHaveURL('/app');
	expect(posts.map(([path]) => path)).toEqual(['/auth/sign-up', '/auth/sign-up', CONSENT]);
});

test('without a tick the page sends no consent call', async ({
	page,
	open,
	receiveCode,
	on,
	address
}) => {
	await open('/auth/sign-up');
	const posts = postsOf(page);
	await on.enterCode(await receiveCode(address));
	await expect(on.heading(messages.app.greeting)).toBeVisible();
	expect(posts.map(([path]) => path)).toEqual(['/auth/sign-up', '/auth/sign-up']);
});

test.describe('a consent that cannot be stored', () => {
	test.use({ expectedTrouble: [500, 'no answer'] });

	for (const how of ['an answer that is an error', 'no answer at all'] as const) {
		test(`does not prevent the sign-in: ${how}`, async ({
			page,
			open,
			receiveCode,
			on,
			address
		}) => {
			await page.route(`**${CONSENT}?*`, (route) =>
				how === 'no answer at all' ? route.abort() : route.fulfill({ status: 500, body: '{}' })
			);
			await open('/auth/sign-up');
			await on.consentBox.check();
			const tried = page.waitForRequest((request) => request.url().includes(CONSENT));
			await on.enterCode(await receiveCode(address));
			await tried;
			await expect(on.heading(messages.app.greeting)).toBeVisible();
			await expect(page.getByRole('alert')).toHaveCount(0);
			await open('/settings');
			await expect(page.getByText(texts.none)).toBeVisible();
		});
	}
});
