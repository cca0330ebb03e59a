import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const UNITS = { s: 1, min: 60, day: 86_400, days: 86_400, '%': 0.01 } as const;

const policy = Object.fromEntries(
	Object.entries(defaultPolicy).flatMap(([group, numbers]) =>
		Object.entries(numbers).map(([name, value]) => [`${group}.${name}`, value])
	)
);

it('the specification states the numbers of the policy', () => {
	const page = textOf('docs/specification.md');
	const rows = page.matchAll(/^\| `(\w+\.\w+)` *\| ([\d.]+)(?: (s|min|days?|%))? *\|/gm);
	const stated = Object.fromEntries(
		[...rows].map(([, name = '', value, unit]) => [
			name,
			Number(value) * (unit === undefined ? 1 : UNITS[unit as keyof typeof UNITS])
		])
	);
	expect(Object.keys(stated).length).toBeGreaterThan(20);
	expect(policy).toMatchObject(stated);
});

it('the walks of the architecture name functions that are in the files', () => {
	const steps = [...textOf('docs/architecture.md').matchAll(/^\| \d+ +\| (.+?) +\| `(.+?)` +\|/gm)];
	const wrong = steps.filter(([, names = '', short = '']) => {
		const path = short.startsWith('src/')
			? short
			: `src/lib/${short.replace(/^web/, 'adapters/web')}`;
		if (!existsSync(join(projectRoot, path))) return true;
		const text = textOf(path);
		return [...names.matchAll(/`(\w+)`/g)].some(
			([, name = '']) => !text.includes(name) && !path.endsWith(`/${name}.svelte`)
		);
	});
	expect(steps.length).toBeGreaterThan(40);
	expect(wrong.map(([row]) => row)).toEqual([]);
});

it.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/testing.md'])(
	'%s names paths that exist',
	(page) => {
		const paths = textOf(page).matchAll(/`((?:src|bin|dev|tests|docs|deploy)\/[\w./()[\]+-]+)`/g);
		// The README adds two routes of its own.
		const named = [...paths].flatMap(([, path = '']) => (/garden|plants/.test(path) ? [] : [path]));
		expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
		expect(named.length).toBeGreaterThan(0);
	}
);
