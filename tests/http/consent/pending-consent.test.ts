import { expect, test } from 'vitest';
import { askOnPage } from '../../support/http/account.ts';
import { openBrowser } from '../../support/http/browser.ts';
import { newAddress } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const PENDING = 'postern_consent';

onOneServer((fixture) => {
	test('R08 opening the other entry page discards it, with and without JavaScript', async () => {
		for (const path of ['/auth/sign-in', '/auth/sign-in/__data.json']) {
			const browser = openBrowser(fixture.server);
			await askOnPage(browser, newAddress('a'), '/auth/sign-up', { consent: 'on' });
			await browser.open('/auth/sign-up/__data.json');
			expect(browser.cookie(PENDING)).not.toBeNull();
			await browser.open(path);
			expect([path, browser.cookie(PENDING)]).toEqual([path, null]);
		}
	});
});
