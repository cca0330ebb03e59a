import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './tests/support/chromium.ts';

const { executablePath, args } = await findChromium();
const phone = devices['Pixel 7'];
const desktop = devices['Desktop Chrome'];

// Every flow is walked four times: phone and desktop, with and without JavaScript.
export default defineConfig({
	testDir: 'tests/e2e',
	outputDir: 'test-results',
	fullyParallel: true,
	workers: 2,
	forbidOnly: true,
	retries: 0,
	timeout: 30_000,
	use: {
		trace: 'retain-on-failure',
		launchOptions: { executablePath, args: [...args] }
	},
	projects: [
		{ name: 'desktop', use: { ...desktop } },
		{ name: 'desktop without JavaScript', use: { ...desktop, javaScriptEnabled: false } },
		{ name: 'phone', use: { ...phone } },
		{ name: 'phone without JavaScript', use: { ...phone, javaScriptEnabled: false } }
	]
});
