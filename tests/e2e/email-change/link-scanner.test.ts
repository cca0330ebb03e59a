import { messages } from '#lib/messages/messages.ts';
import { expect, test } from '../fixtures.ts';

const { confirmEmailChange: texts } = messages;
const CONFIRM = '/auth/verify-email?/confirm';

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
	await expect(page.getByRole('main')).toContainText(before);
	expect(posts).toEqual([]);

	await page.getByRole('button', { name: texts.submit }).click();
	await expect(page.getByText(messages.flashes['email-changed'])).toBeVisible();
	expect(posts).toHaveLength(1);
	expect(posts[0]).toContain(CONFIRM);
});
