import { spawnSync } from 'node:child_process';
import {
	existsSync,
	lstatSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type LaunchOptions } from '@playwright/test';

const INSTALLED = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'
];

/** A test browser makes no calls of its own; Playwright’s arguments disable the rest. */
const QUIET = ['--disable-domain-reliability', '--no-pings'];

/**
 * Without a spare renderer, which Chromium otherwise starts after each page: a twentieth of the
 * processor time of a test.
 */
const LEAN = ['--renderer-process-limit=1'];

/** Playwright's own browser where it is installed, then one of the system, then the one from npm. */
export const findChromium = async (): Promise<LaunchOptions> => {
	const found = [chromium.executablePath(), ...INSTALLED].find((path) => existsSync(path));
	if (found !== undefined) return { executablePath: found, args: [...QUIET, ...LEAN] };
	if (process.platform !== 'linux' || process.arch !== 'x64') {
		throw new Error('No browser found: run "npx playwright install chromium" or install Chrome.');
	}
	const folder = await unpacked();
	const executablePath = join(folder, 'chromium');
	return {
		executablePath,
		args: [...QUIET, ...LEAN, '--disable-gpu'],
		env: { ...process.env, ...libraries(executablePath), FONTCONFIG_PATH: folder }
	};
};

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];

/**
 * The browser of the package, unpacked for this user. The package itself unpacks to one shared
 * place and trusts what it finds there. Here a folder appears complete or not at all, and is never
 * another user’s.
 */
const unpacked = async (): Promise<string> => {
	const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
	const root = join(dirname(entry), '..');
	const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const folder = join(tmpdir(), `postern-chromium-${version}-${process.getuid?.()}`);
	if (!existsSync(folder)) await unpack(join(root, 'bin'), folder);
	if (lstatSync(folder).uid !== process.getuid?.()) {
		throw new Error(
			`${folder} belongs to somebody else: remove it or set TMPDIR to another place.`
		);
	}
	return folder;
};

const unpack = async (bin: string, folder: string): Promise<void> => {
	const { inflate } = await import('@sparticuz/chromium');
	const staging = mkdtempSync(join(tmpdir(), 'postern-chromium-'));
	try {
		const before = process.env['TMPDIR'];
		process.env['TMPDIR'] = staging;
		// These calls set the target folder before anything is awaited.
		const done = ARCHIVES.map((archive) => inflate(join(bin, archive)));
		if (before === undefined) delete process.env['TMPDIR'];
		else process.env['TMPDIR'] = before;
		await Promise.all(done);
		writeFileSync(join(staging, 'fonts.conf'), fontSettings(folder));
		renameSync(staging, folder);
	} catch (error) {
		rmSync(staging, { recursive: true, force: true });
		// Another run was faster.
		if (!existsSync(folder)) throw error;
	}
};

/** The same fonts on every machine, even one without fonts. */
const fontSettings = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<dir>${folder}/fonts</dir>
	<cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

/** The included libraries are for machines that lack them; the system’s own fit better. */
const libraries = (executable: string): { LD_LIBRARY_PATH?: string } => {
	if (spawnSync(executable, ['--version'], { stdio: 'ignore' }).status === 0) return {};
	return { LD_LIBRARY_PATH: join(dirname(executable), 'al2023', 'lib') };
};
