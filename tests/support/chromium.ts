import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

export interface Browser {
	readonly executablePath: string;
	readonly args: readonly string[];
}

const INSTALLED = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'
];

/** Chromium refuses its sandbox to root, and some containers have none. */
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
/** A test browser has nobody to call. */
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Playwright's own browser where it is installed, then one of the system, then the one from npm. */
export const findChromium = async (): Promise<Browser> => {
	const found = [chromium.executablePath(), ...INSTALLED].find((path) => existsSync(path));
	if (found !== undefined) return { executablePath: found, args: [...asRoot, ...quiet] };
	if (process.platform !== 'linux') {
		throw new Error('No browser found: run "npx playwright install chromium" or install Chrome.');
	}
	const { default: packed } = await import('@sparticuz/chromium');
	return {
		executablePath: await packed.executablePath(),
		args: [...packed.args, ...asRoot, ...quiet]
	};
};
