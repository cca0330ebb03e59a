import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { builtRoutes, pathOf } from '../../support/http/routes.ts';

/** Routes that the application replaces. The last one answers paths that do not exist. */
const REPLACED = [
	'/(public)',
	'/(public)/changelog',
	'/(public)/contact',
	'/(public)/roadmap',
	'/app',
	'/checkout/success',
	'/docs',
	'/api/hello',
	'/api/[...path]'
];

const read = (file: string): string =>
	readFileSync(join(projectRoot, 'examples/behind-a-proxy', file), 'utf8');
const inNginx = new RegExp(/location ~ (\S+)/.exec(read('nginx.conf'))?.[1] ?? '');
const inCaddy = (/@postern path (.+)/.exec(read('Caddyfile'))?.[1] ?? '').split(' ');

describe('the paths of Postern in the examples', () => {
	test.each<[string, (path: string) => boolean]>([
		['nginx.conf', (path) => inNginx.test(path)],
		[
			'Caddyfile',
			(path) =>
				inCaddy.some((one) =>
					one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : one === path
				)
		]
	])('%s has every route and file that Postern needs, and nothing else', async (_, has) => {
		const routes = await builtRoutes();
		const files = readdirSync(join(projectRoot, 'build/client')).filter(
			(file) => !/\.(?:br|gz)$|^robots\.txt$|^_app$/.test(file)
		);
		const needed = [
			...routes.flatMap(({ id }) => (REPLACED.includes(id) ? [] : pathOf(id))),
			...[...files, '_app/version.json'].map((file) => `/${file}`)
		];
		expect(needed.filter((path) => !has(path))).toEqual([]);
		expect(REPLACED.map(pathOf).filter(has)).toEqual([]);
		const isNeeded = (path: string): boolean =>
			needed.some((one) => `${one}/`.startsWith(path.replace(/\*$/, '')));
		expect(inCaddy.filter((path) => !isNeeded(path))).toEqual([]);
	});
});
