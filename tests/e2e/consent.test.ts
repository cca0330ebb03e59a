import type { Page } from '@playwright/test';
import { messages } from '#lib/messages/messages.ts';
import { expect, test } from './fixtures.ts';

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
	on
}) => {
	await open('/auth/sign-up');
	await on.consentBox.check();
	const posts = postsOf(page);
	const code = await receiveCode();
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

test('a tick that is removed after a detour stores nothing; the user can consent later and withdraw again', async ({
	page,
	open,
	reload,
	receiveCode,
	on,
	inSettings,
	address
}) => {
	await open('/auth/sign-up');
	await expect(on.consentBox).not.toBeChecked();
	await on.consentBox.check();
	const code = await receiveCode();
	await on.otherAddressLink.click();
	await expect(on.consentBox).toBeChecked();
	await on.consentBox.uncheck();
	const posts = postsOf(page);
	// Too soon for another email, but not for the change of mind.
	await on.askForCode(address);
	await on.enterCode(code);
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
	expect(posts.map(([path]) => path)).not.toContain(CONSENT);

	await page.getByRole('button', { name: texts.agree }).click();
	const section = inSettings.section('consent');
	await expect(section).toContainText(texts.withdraw);
	await reload();
	await expect(section).toContainText(texts.given);

	await page.getByRole('button', { name: texts.withdraw }).click();
	await expect(section).toContainText(texts.agree);
	await reload();
	await expect(section).toContainText(texts.none);
});

test('R08 a tick is not stored for another email address', async ({
	page,
	open,
	receiveCode,
	on,
	freshAddress
}) => {
	const [a, b] = [freshAddress(), freshAddress()];
	await open('/auth/sign-up');
	await on.consentBox.check();
	await receiveCode(a);
	// The box is still ticked for A. For another email address it must be ticked again.
	await on.otherAddressLink.click();
	await expect(on.consentBox).toBeChecked();
	await on.enterCode(await receiveCode(b));
	await expect(page).toHaveURL('/app');
	await open('/settings');
	await expect(page.getByText(texts.none)).toBeVisible();
});

test.describe('a consent that cannot be stored', () => {
	test.use({ expectedTrouble: ['no answer'] });

	test('does not prevent the sign-in', async ({ page, open, receiveCode, on }) => {
		await page.route(`**${CONSENT}?*`, (route) => route.abort());
		await open('/auth/sign-up');
		await on.consentBox.check();
		const tried = page.waitForRequest((request) => request.url().includes(CONSENT));
		await on.enterCode(await receiveCode());
		await tried;
		await expect(on.heading(messages.app.greeting)).toBeVisible();
		await expect(page.getByRole('alert')).toHaveCount(0);
		await open('/settings');
		await expect(page.getByText(texts.none)).toBeVisible();
	});
});
