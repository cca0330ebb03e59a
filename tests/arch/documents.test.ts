import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { mailDefinitions } from '#lib/adapters/mail/emails/list.ts';
import { tables } from '#lib/adapters/postgres/schema.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** The names in one column of the table below a heading. */
const namesIn = (path: string, heading: string, column: number): readonly string[] => {
	const [, section = ''] = textOf(path).split(`\n## ${heading}\n`);
	const rows = section.split(/\n#/)[0]?.match(/^\|.*/gm) ?? [];
	return rows
		.flatMap((row) => [...(row.split('|')[column]?.matchAll(/`([\w-]+)`/g) ?? [])])
		.map(([, name = '']) => name)
		.toSorted();
};

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

it('the specification names every table of the database', () => {
	const names = Object.values(tables).map((table) => getTableName(table));
	expect(namesIn('docs/specification.md', 'Data', 1)).toEqual(names.toSorted());
});

it('the page about emails names every email', () => {
	const names = Object.keys(mailDefinitions).map((kind) => kind.replaceAll('_', '-'));
	expect(namesIn('docs/email.md', 'The emails', 4)).toEqual(names.toSorted());
});

it('the operator’s handbook names every event of the log', () => {
	// A call with a name, or with one of two, or a variable with one of two.
	const call =
		/(?<![.\w])(?:(?:(?:app|deps)\.)?log(?:\.event|Event|Outcome)?\(|once\(|const name = )(?:event, )?(?:[^,\n]*\? )?'(\w+)'(?: : '(\w+)')?/g;
	const logged = globSync('src/**/*.ts', { cwd: projectRoot })
		.flatMap((path) => [...textOf(path).matchAll(call)])
		.flatMap(([, one, other]) => [one, other].filter((name) => name !== undefined));
	expect(logged.length).toBeGreaterThan(30);
	expect(namesIn('docs/operating.md', 'Logs', 1)).toEqual(expect.arrayContaining(logged));
});

it('no text of a page repeats the days of the policy, which it can import', () => {
	const texts = globSync('src/lib/messages/en/*.ts', { cwd: projectRoot });
	expect(texts.filter((path) => /\d+ days\b/.test(textOf(path)))).toEqual([]);
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
	expect(steps.length).toBeGreaterThan(30);
	expect(wrong.map(([row]) => row)).toEqual([]);
});

it.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/testing.md'])(
	'%s names paths that exist',
	(page) => {
		const paths = textOf(page).matchAll(/`((?:src|bin|dev|tests|docs|deploy)\/[\w./()[\]+-]+)`/g);
		const named = [...paths].map(([, path = '']) => path);
		expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
		expect(named.length).toBeGreaterThan(0);
	}
);

it('the table about OpenID Connect names tests that exist', () => {
	const [, section = ''] = textOf('docs/testing.md').split('\n## OpenID Connect\n');
	const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| [^|]*\d[^|]*\| (.*?) *\|$/gm)];
	expect(rows.length).toBeGreaterThan(20);
	const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([\w-]+)`([^`]*)/g)]);
	const missing = named.flatMap(([, name = '', words = '']) => {
		const [path] = globSync(`tests/*/oidc/${name}.test.ts`, { cwd: projectRoot });
		// The application, which is no file.
		if (name === 'openid-client') return [];
		if (path === undefined) return [name];
		const parts = words.split(/[;,]/).map((part) => part.trim());
		return parts.filter((part) => !new RegExp(`'[^'\\n]*${part}`).test(textOf(path)));
	});
	expect(missing).toEqual([]);
});
