import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

interface File {
	readonly path: string;
	readonly text: string;
}

const filesIn = (folder: string): File[] =>
	readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.(?:ts|js|svelte)$/.test(entry.name))
		// A folder with packages of its own may have them installed.
		.filter(({ parentPath }) => !parentPath.split(sep).includes('node_modules'))
		.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return {
				path: relative(projectRoot, path).split(sep).join('/'),
				text: readFileSync(path, 'utf8')
			};
		});

const withoutComments = (text: string): string =>
	text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;{}()])\/\/.*$/gm, '$1');

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z]+)*\.(?:ts|js)$/;

/** Whether a file breaks the rule, by the rule's name. */
const rules: Record<string, (file: File) => boolean> = {
	'names are kebab-case': ({ path }) =>
		/\.(?:ts|js)$/.test(path) && !path.startsWith('src/routes/') && !KEBAB.test(basename(path)),

	'no name is as vague as utils or helpers': ({ path }) =>
		/(?:^|[/.-])(?:utils?|helpers?|misc|common)(?:[/.-]|$)/.test(path),

	'no path uses server or remote, which have a meaning in the framework': ({ path }) =>
		/^src\/lib\/(?:.*\/)?(?:server|remote)(?:\/|\.)/.test(path) || /\.remote\.[jt]s$/.test(path),

	'no file only passes on what others export': ({ path }) => /\/index\.ts$/.test(path),

	'no file has more than 300 lines': ({ path, text }) =>
		// The catalogue of texts is a list, not code that is read as a whole.
		/^src\/lib\/(?!messages\/).*\.ts$/.test(path) && text.trimEnd().split('\n').length > 300,

	'only one file, the entry, system and mail write to the console': ({ path, text }) =>
		path.startsWith('src/') &&
		!/^src\/(?:entry\/|lib\/operator-messages\.ts|lib\/adapters\/(?:system|mail)\/)/.test(path) &&
		/\bconsole\b\s*[.[]/.test(withoutComments(text)),

	'only adapters/system and browser components read the clock': ({ path, text }) =>
		path.startsWith('src/lib/') &&
		!/^src\/lib\/(?:adapters\/system|ui)\//.test(path) &&
		/\bDate\.now\b|\bnew Date(?:\(\s*\)|(?!\s*[(\w]))/.test(withoutComments(text)),

	'only drivers and browser components measure durations': ({ path, text }) =>
		path.startsWith('src/lib/') &&
		!/^src\/lib\/(?:adapters\/(?:system|sqlite|postgres)|ui)\//.test(path) &&
		/\bperformance\.now\b/.test(withoutComments(text))
};

const files = ['src', 'tests', 'bin', 'dev'].flatMap(filesIn);

describe('files', () => {
	it.each(Object.entries(rules))('%s', (_name, breaks) => {
		expect(files.length).toBeGreaterThan(50);
		expect(files.filter(breaks).map(({ path }) => path)).toEqual([]);
	});

	it('no folder holds only one file, routes excepted', () => {
		const lonely = ['src/lib', 'tests', 'bin', 'dev'].flatMap((top) =>
			readdirSync(join(projectRoot, top), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isDirectory() && !entry.parentPath.includes('node_modules'))
				.map((entry) => readdirSync(join(entry.parentPath, entry.name), { withFileTypes: true }))
				.flatMap(([first, ...others]) =>
					first?.isFile() && others.length === 0 ? [join(first.parentPath, first.name)] : []
				)
		);
		expect(lonely).toEqual([]);
	});
});
