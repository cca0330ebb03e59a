import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './tests/support/e2e/chromium.ts';

export default defineConfig({
	testDir: 'tests/e2e',
	outputDir: 'test-results',
	globalSetup: './tests/support/build/setup.ts',
	fullyParallel: true,
	// One more than processors: a page often waits for its server, and a server for its disk.
	workers: 3,
	forbidOnly: true,
	retries: 0,
	// Other work may keep the machine busy.
	timeout: 60_000,
	expect: { timeout: 20_000 },
	use: {
		// Recording is slow, so it is off. PWTRACE=1 turns it on to investigate a failure.
		trace: process.env['PWTRACE'] === '1' ? 'retain-on-failure' : 'off',
		screenshot: 'only-on-failure',
		// Transitions only take time: each of their frames is painted.
		contextOptions: { reducedMotion: 'reduce' },
		launchOptions: await findChromium()
	},
	projects: [
		{ name: 'desktop', use: devices['Desktop Chrome'] },
		{
			name: 'phone without JavaScript',
			testMatch: '**/*.plain.test.ts',
			// Each worker starts a browser and a server, which takes longer than these tests.
			workers: 1,
			// Painting more pixels per point takes time and proves nothing more.
			use: { ...devices['Pixel 7'], deviceScaleFactor: 1, javaScriptEnabled: false }
		}
	]
});
