import { messages } from '#lib/messages/messages.ts';
import { comeBackTo } from '../../support/e2e/arrival.ts';
import { openDatabase } from '../../support/http/database.ts';
import { expect, test } from '../fixtures.ts';

const markBounced = async (databaseUrl: string, address: string): Promise<void> => {
	const database = openDatabase(databaseUrl);
	await database.rows(`update verification set bounced_at = 1 where email = '${address}'`);
	await database.close();
};

test('a page that waits for a code says that its email bounced when the person comes back', async ({
	page,
	on,
	server,
	address,
	openCodePage
}) => {
	await openCodePage('/auth/sign-up');
	await markBounced(server.databaseUrl, address);

	await on.codeField.fill('12');
	const answered = page.waitForResponse((response) => response.url().includes('/auth/sign-up'));
	await comeBackTo(page);
	await answered;
	// After another response, the page has read the earlier one.
	await page.evaluate(async () => (await fetch(location.href)).text());
	await expect(on.codeField).toHaveValue('12');
	await on.codeField.fill('');
	await comeBackTo(page);
	await expect(on.alert(messages.emailStep.bounced)).toBeVisible();
	await expect(on.emailField).toHaveValue(address);
	await expect(on.emailField).toBeFocused();
});

test.describe('when the server does not answer', () => {
	test.use({ expectedTrouble: ['no answer', 503] });

	test('the page and a code that is typed meanwhile stay', async ({
		page,
		context,
		on,
		server,
		address,
		openCodePage
	}) => {
		const isPage = (request: { url(): string }): boolean => request.url().includes('/auth/sign-up');
		await openCodePage('/auth/sign-up');
		await markBounced(server.databaseUrl, address);

		const refreshes: string[] = [];
		page.on('request', (request) => {
			if (request.url().includes('__data.json')) refreshes.push(request.url());
		});

		await context.setOffline(true);
		const lost = page.waitForEvent('requestfailed', isPage);
		await comeBackTo(page);
		await lost;
		await context.setOffline(false);

		await page.route(/\/auth\/sign-up/, (route) => route.fulfill({ status: 503 }), { times: 1 });
		const refused = page.waitForResponse(isPage);
		await comeBackTo(page);
		await refused;

		await page.route(
			/\/auth\/sign-up/,
			async (route) => {
				await on.codeField.fill('12');
				await route.continue();
			},
			{ times: 1 }
		);
		const answered = page.waitForResponse(isPage);
		await comeBackTo(page);
		await answered;
		// After another response, the page has read the earlier one.
		await page.evaluate(async () => (await fetch(location.href)).text());
		expect(refreshes).toEqual([]);
		await expect(on.alert(messages.emailStep.bounced)).toHaveCount(0);
		await expect(on.codeField).toHaveValue('12');
		await on.codeField.fill('');
		await comeBackTo(page);
		await expect(on.alert(messages.emailStep.bounced)).toBeVisible();
	});
});
