import { chromium, type Browser, type Request } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../support/e2e/chromium.ts';
import { screensOf } from '../../support/e2e/screens.ts';
import { newAddress } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

/** In bytes, compressed as sent; a KB is 1,024 of them. */
const LIMITS = { script: 60 * 1024, stylesheet: 15 * 1024 };

describe('the weight of the sign-in page', () => {
	onOneServer((fixture) => {
		let browser: Browser;

		beforeAll(async () => {
			browser = await chromium.launch(await findChromium());
		});
		afterAll(() => browser.close());

		test('little script, little style, nothing from other sites', async () => {
			const page = await browser.newPage();
			const finished: Request[] = [];
			page.on('requestfinished', (request) => finished.push(request));
			await page.goto(`${fixture.server.address}/auth/sign-in`, { waitUntil: 'networkidle' });
			const seen = await Promise.all(
				finished.map(async (request) => ({
					url: request.url(),
					type: request.resourceType(),
					bytes: (await request.sizes()).responseBodySize
				}))
			);
			const weight = (type: string): number =>
				seen.filter((file) => file.type === type).reduce((sum, { bytes }) => sum + bytes, 0);
			for (const [type, limit] of Object.entries(LIMITS)) {
				expect(weight(type), type).toBeGreaterThan(1000);
				expect(weight(type), type).toBeLessThanOrEqual(limit);
			}
			expect(seen.filter(({ url }) => !url.startsWith(`${fixture.server.address}/`))).toEqual([]);
		});

		test('the layout does not shift while the pages of the email address and of the code load', async () => {
			const page = await browser.newPage();
			await page.addInitScript(() => {
				Object.assign(window, { shifted: 0 });
				new PerformanceObserver((list) => {
					for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
						(window as unknown as { shifted: number }).shifted += entry.value;
					}
				}).observe({ type: 'layout-shift', buffered: true });
			});
			const shifted = (): Promise<number> =>
				page.evaluate(async () => {
					// After two frames, everything painted so far has been measured.
					await new Promise((painted) =>
						requestAnimationFrame(() => requestAnimationFrame(painted))
					);
					return (window as unknown as { shifted: number }).shifted;
				});
			const on = screensOf(page, true);
			await page.goto(`${fixture.server.address}/auth/sign-in`, { waitUntil: 'networkidle' });
			expect(await shifted()).toBe(0);
			await on.askForCode(newAddress());
			await on.codeField.waitFor();
			await page.reload({ waitUntil: 'networkidle' });
			expect(await shifted()).toBe(0);
		});
	});
});
