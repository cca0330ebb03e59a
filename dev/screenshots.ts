import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, devices, expect, type Browser, type Page } from '@playwright/test';
import { startBuiltServer, type BuiltServer } from '../tests/support/process/built-server.ts';
import { findChromium } from '../tests/support/e2e/chromium.ts';
import { pageStates } from '../tests/support/pages/states.ts';
import { SERVERS, visit } from '../tests/support/pages/visit.ts';
import { ensureBuild } from '../bin/lib/ensure-build.ts';

// Takes pictures of every page in every state, with JavaScript and without it (`plain`), on a
// desktop, a phone and the narrowest screen, light and dark. It runs the build on databases of its
// own. It also makes the two pictures of the README. Arguments after `--` select pictures:
// `npm run screenshots -- code settings-` takes those whose names contain one of these texts and
// keeps the others.

const FOLDER = 'screenshots';
const SIZES = {
	desktop: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
	phone: { ...devices['Pixel 7'], deviceScaleFactor: 1 },
	narrow: { ...devices['Pixel 7'], deviceScaleFactor: 1, viewport: { width: 320, height: 640 } }
};
const SCHEMES = ['light', 'dark'] as const;
type Size = keyof typeof SIZES;
type ServerName = keyof typeof SERVERS;

/** The pictures of the README: the middle of these. */
const README = new Map(
	Object.entries({
		'sign-in.desktop.light': { x: 110, y: 0, width: 1060, height: 560 },
		'code.phone.light': { x: 0, y: 0, width: 412, height: 600 }
	})
);

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const all = pageStates.map((state, index) => ({
	...state,
	file: `${String(index + 1).padStart(3, '0')}-${state.name}`
}));
const chosen = all.filter(
	({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word))
);

/**
 * Waits until the page looks as it will. Without JavaScript, a state is reached when its text is
 * there, which can be before the style sheets. A button that was pressed is still under the mouse.
 */
const settle = async (page: Page): Promise<void> => {
	await page.mouse.move(0, 0);
	const isSettled = (): boolean =>
		[...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(
			({ sheet }) => sheet !== null
		) && document.getAnimations().length === 0;
	await expect.poll(() => page.evaluate(isSettled)).toBe(true);
};

/** Takes both pictures of each state at one size, and returns how many it took. */
const take = async (browser: Browser, size: Size, scripted: boolean): Promise<number> => {
	const servers = new Map<ServerName, BuiltServer>();
	const context = await browser.newContext({
		...SIZES[size],
		javaScriptEnabled: scripted,
		reducedMotion: 'reduce'
	});
	context.setDefaultTimeout(10_000);
	let people = 0;
	const freshAddress = (): string => `ada${(people += 1)}@example.com`;
	let taken = 0;
	const states = chosen.filter(({ scripts }) => scripts !== (scripted ? 'off' : 'needed'));
	const way = scripted ? '' : '.plain';
	try {
		for (const state of states) {
			const kind = state.on ?? 'usual';
			const server = servers.get(kind) ?? (await startBuiltServer(SERVERS[kind]));
			servers.set(kind, server);
			const page = await context.newPage();
			const photograph = async (): Promise<void> => {
				for (const colorScheme of SCHEMES) {
					await page.emulateMedia({ colorScheme });
					await settle(page);
					const path = join(FOLDER, `${state.file}${way}.${size}.${colorScheme}.png`);
					await page.screenshot({ path, fullPage: true, caret: 'initial' });
					const clip = README.get(`${state.name}${way}.${size}.${colorScheme}`);
					const shown = join('docs', 'images', `${state.name}.png`);
					if (clip) await page.screenshot({ path: shown, clip, caret: 'initial' });
					taken += 1;
				}
			};
			await visit(page, server, freshAddress, state, photograph, scripted).catch(
				(error: unknown) => {
					console.error(`not reached: ${state.file}${way} (${size}): ${error}`);
					process.exitCode = 1;
				}
			);
			await page.close();
		}
	} finally {
		await context.close();
		await Promise.all([...servers.values()].map((server) => server.stop()));
	}
	return taken;
};

ensureBuild((line) => console.log(line));
if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch(await findChromium());
try {
	const sizes = Object.keys(SIZES) as Size[];
	let pictures = 0;
	for (const scripted of [true, false]) {
		const taken = await Promise.all(sizes.map((size) => take(browser, size, scripted)));
		for (const count of taken) pictures += count;
	}
	console.log(`${pictures} pictures in ${FOLDER}/`);
} finally {
	await browser.close();
}
process.exit();
