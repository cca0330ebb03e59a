import { defineConfig, devices, type PlaywrightTestProject } from '@playwright/test';
import { findChromium } from './tests/support/e2e/chromium.ts';

// The suffix of a file decides which projects run its tests: only without JavaScript, or only on a
// small screen with it.
const PLAIN = '**/*.plain.test.ts';
const PHONE = '**/*.phone.test.ts';
/**
 * Tests whose subject does not depend on the size of the screen: on a desktop with JavaScript, and on
 * a phone without it. The long form runs them on a phone with JavaScript too.
 */
const CORNERS = '**/*.corners.test.ts';
/** The same of scripts: on a desktop, and in the long form on a phone. */
const SCRIPTED = '**/*.scripted.test.ts';
/** Tests of scripts that do not depend on the size of the screen, or that set all sizes themselves. */
const ONCE = '**/*.once.test.ts';

const isLong = process.env['POSTERN_FULL'] === '1';

const desktop = devices['Desktop Chrome'];
// Painting more pixels per point takes time and proves nothing more.
const phone = { ...devices['Pixel 7'], deviceScaleFactor: 1 };

// The main flows run on a desktop and a phone with JavaScript, and on a phone without it. The effect
// of scripts does not depend on the screen size, so a desktop without them would prove nothing more.
const projects: PlaywrightTestProject[] = [
	{ name: 'desktop', testIgnore: [PLAIN, PHONE], use: { ...desktop } },
	{
		name: 'phone',
		testIgnore: [PLAIN, ONCE, ...(isLong ? [] : [CORNERS, SCRIPTED])],
		// Each worker starts a browser and a server, which takes longer than a few tests.
		workers: isLong ? 3 : 1,
		use: { ...phone }
	},
	{
		name: 'phone without JavaScript',
		testIgnore: [SCRIPTED, ONCE, PHONE],
		use: { ...phone, javaScriptEnabled: false }
	}
];

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
	projects
});
