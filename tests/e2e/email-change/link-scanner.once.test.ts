import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { verifyEmail: texts } = messages;
const CONFIRM = '/auth/verify-email?/confirm';

test('a scanner that opens the link ten times changes nothing, and spends nothing', async ({
	page,
	open,
	inSettings,
	otherBrowser,
	requestChange
}) => {
	const { before, after, link } = await requestChange();

	const scanner = await otherBrowser();
	const posts: string[] = [];
	scanner.context().on('request', (request) => {
		if (request.method() !== 'GET') posts.push(`${request.method()} ${request.url()}`);
	});
	const tabs = [scanner];
	while (tabs.length < 5) tabs.push(await scanner.context().newPage());
	for (let round = 1; round <= 2; round += 1) {
		await Promise.all(tabs.map((tab) => tab.goto(link, { waitUntil: 'networkidle' })));
	}
	await expect(scanner.getByText(texts.signedOut)).toBeVisible();
	expect(posts).toEqual([]);

	await open('/settings');
	await expect(inSettings.section('email')).toContainText(before);
	await open(link);
	await page.getByRole('button', { name: texts.submit }).click();
	await expect(page.getByText(messages.notices['email-changed'])).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(after);
});

test('the requesting browser confirms nothing by prefetching the link', async ({
	page,
	open,
	requestChange
}) => {
	const { before, link } = await requestChange();

	const fetched = page.waitForResponse((response) => response.url().includes('verify-email'));
	await page.evaluate((href) => {
		const hint = Object.assign(document.createElement('link'), { rel: 'prefetch', href });
		document.head.append(hint);
	}, link);
	await fetched;

	const posts: string[] = [];
	page.on('request', (request) => {
		if (request.method() === 'POST') posts.push(request.url());
	});
	await open(link);
	await page.waitForLoadState('networkidle');
	await expect(page.getByRole('button', { name: texts.submit })).toBeVisible();
	await expect(page.getByRole('banner')).toContainText(before);
	expect(posts).toEqual([]);

	await page.getByRole('button', { name: texts.submit }).click();
	await expect(page.getByText(messages.notices['email-changed'])).toBeVisible();
	expect(posts).toHaveLength(1);
	expect(posts[0]).toContain(CONFIRM);
});
