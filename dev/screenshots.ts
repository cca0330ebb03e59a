import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, devices, type Browser } from '@playwright/test';
import { startBuiltServer, type BuiltServer } from '../tests/support/process/built-server.ts';
import { findChromium } from '../tests/support/e2e/chromium.ts';
import { pageStates } from '../tests/support/pages/states.ts';
import { SERVERS, visit } from '../tests/support/pages/visit.ts';
import { ensureBuild } from '../bin/fresh-build.ts';

// Takes pictures of every page in every state, on a phone and on a desktop, light and dark. It
// runs the build on databases of its own. Arguments after `--` select pictures: `npm run
// screenshots -- code settings-` takes those whose names contain one of these texts and keeps the
// others.

const FOLDER = 'screenshots';
const SIZES = {
	desktop: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
	phone: { ...devices['Pixel 7'], deviceScaleFactor: 1 }
};
const SCHEMES = ['light', 'dark'] as const;
type Size = keyof typeof SIZES;
type ServerName = keyof typeof SERVERS;

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const all = Object.values(pageStates)
	.flat()
	.map((state, index) => ({
		...state,
		file: `${String(index + 1).padStart(2, '0')}-${state.name}`
	}));
const chosen = all.filter(
	({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word))
);

/** Takes both pictures of each state at one size. Returns the states that it could not reach. */
const take = async (browser: Browser, size: Size): Promise<readonly string[]> => {
	const servers = new Map<ServerName, BuiltServer>();
	const context = await browser.newContext({ ...SIZES[size], reducedMotion: 'reduce' });
	context.setDefaultTimeout(10_000);
	let people = 0;
	const freshAddress = (): string => `ada${(people += 1)}@example.com`;
	const missed: string[] = [];
	try {
		for (const state of chosen) {
			const kind = state.on ?? 'usual';
			const server = servers.get(kind) ?? (await startBuiltServer(SERVERS[kind]));
			servers.set(kind, server);
			const page = await context.newPage();
			await visit(page, server, freshAddress, state, async () => {
				for (const colorScheme of SCHEMES) {
					await page.emulateMedia({ colorScheme });
					const path = join(FOLDER, `${state.file}.${size}.${colorScheme}.png`);
					await page.screenshot({ path, fullPage: true, caret: 'initial' });
				}
			}).catch((error: unknown) => void missed.push(`${state.file} (${size}): ${error}`));
			await page.close();
		}
	} finally {
		await Promise.all([...servers.values()].map((server) => server.stop()));
	}
	return missed;
};

ensureBuild((line) => console.log(line));
if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch(await findChromium());
try {
	const sizes = Object.keys(SIZES) as Size[];
	const missed = (await Promise.all(sizes.map((size) => take(browser, size)))).flat();
	for (const line of missed) console.error(`not reached: ${line}`);
	if (missed.length > 0) process.exitCode = 1;
	console.log(`${chosen.length * 4 - missed.length * 2} pictures in ${FOLDER}/`);
} finally {
	await browser.close();
}
process.exit();
