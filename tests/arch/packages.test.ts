import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

interface Locked {
	readonly version?: string;
	readonly hasInstallScript?: boolean;
	readonly integrity?: string;
	readonly resolved?: string;
	readonly link?: boolean;
}

const json = <T>(path: string): T => JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as T;
/** The project’s own, and those of the compatibility tests and the benchmark. */
const FOLDERS = ['.', 'tests/compat', 'examples/spa', 'bench/floor', 'bench/peer'] as const;
const lockedIn = (folder: string): [string, Locked][] => {
	const path = join(folder, 'package-lock.json');
	const { packages } = json<{ packages: Record<string, Locked> }>(path);
	return Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
};
const locked = FOLDERS.flatMap(lockedIn);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

/** Whether a version is at least another one; a suffix after a hyphen comes before the release. */
const atLeast = (version: string, least: string): boolean => {
	const [have, want] = [version, least].map((one) => one.split('-', 1)[0]?.split('.').map(Number));
	for (const at of [0, 1, 2]) {
		const difference = (have?.[at] ?? 0) - (want?.[at] ?? 0);
		if (difference !== 0) return difference > 0;
	}
	return !version.includes('-');
};

describe('packages', () => {
	it.each([
		// Header and envelope addresses that disagreed, control characters in headers.
		['nodemailer', '9.0.5'],
		// The quadratic Accept header of 2026-07-29, and all advisories before it.
		['@sveltejs/kit', '3.2.0'],
		// The limit on bodies holds for chunked ones.
		['@sveltejs/adapter-node', '6.0.0'],
		// CVE-2026-22774, CVE-2026-22775.
		['devalue', '5.6.2'],
		// CVE-2024-47764: names and paths of cookies out of bounds.
		['cookie', '0.7.0'],
		// The floor of its line: older ones have advisories against them.
		['better-auth', '1.7.1']
	])('Q03: every %s in the lockfile is at least %s', (name, least) => {
		const versions = locked
			.filter(([path]) => nameOf(path) === name)
			.map(([, { version = '0' }]) => version);
		expect(versions.length).toBeGreaterThan(0);
		for (const version of versions)
			expect([version, atLeast(version, least)]).toEqual([version, true]);
	});

	it('Q01: no package may run a script at installation', () => {
		// Some packages would: one of them compiles a driver that already includes its binary.
		expect(locked.some(([, { hasInstallScript }]) => hasInstallScript === true)).toBe(true);
		for (const folder of FOLDERS) {
			const settings = readFileSync(join(projectRoot, folder, '.npmrc'), 'utf8');
			expect(settings.split('\n')).toContain('ignore-scripts=true');
		}
	});

	it('Q01: every package is pinned by its hash and comes from a registry', () => {
		const loose = locked.flatMap(([path, { integrity, resolved, link }]) =>
			link === true || (integrity !== undefined && !/^(?:git|file|http:)/.test(resolved ?? ''))
				? []
				: [path]
		);
		expect(loose).toEqual([]);
	});
});
