import { defineConfig, devices, type PlaywrightTestProject } from '@playwright/test';
import { findChromium } from './tests/support/e2e/chromium.ts';

// The suffix of a file says where its tests run.
/** What exists only with JavaScript, only without it, or only on a small screen. */
const SCRIPTED = '**/*.scripted.test.ts';
const PLAIN = '**/*.plain.test.ts';
const PHONE = '**/*.phone.test.ts';
/** Of the documentation, which holds no flow, desktop and phone without JavaScript will do. */
const CORNERS = '**/*.corners.test.ts';
/** What looks at pages in all sizes by itself. */
const ONCE = '**/*.once.test.ts';

const desktop = devices['Desktop Chrome'];
// Its many pixels per point would only be painted in vain.
const phone = { ...devices['Pixel 7'], deviceScaleFactor: 1 };

// Every flow is walked on a desktop and on a phone with JavaScript, and on a phone without. What
// scripts change does not depend on the size, so a desktop without them would show nothing new.
const projects: PlaywrightTestProject[] = [
	{ name: 'desktop', testIgnore: [PLAIN, PHONE], use: { ...desktop } },
	{ name: 'phone', testIgnore: [PLAIN, CORNERS, ONCE], use: { ...phone } },
	{
		name: 'phone without JavaScript',
		testIgnore: [SCRIPTED, ONCE],
		use: { ...phone, javaScriptEnabled: false }
	}
];

export default defineConfig({
	testDir: 'tests/e2e',
	outputDir: 'test-results',
	globalSetup: './tests/support/build/setup.ts',
	fullyParallel: true,
	workers: 2,
	forbidOnly: true,
	retries: 0,
	timeout: 15_000,
	use: {
		// Recording every step costs much time: PWTRACE=1 does it, to look into a failure.
		trace: process.env['PWTRACE'] === '1' ? 'retain-on-failure' : 'off',
		screenshot: 'only-on-failure',
		launchOptions: await findChromium()
	},
	projects
});
