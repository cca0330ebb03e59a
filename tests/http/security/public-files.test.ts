import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { bearer, call, sampled, signIn } from '../../support/http/client.ts';
import { sqliteFile } from '../../support/http/database.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { TEST_SECRET } from '../../support/process/built-server.ts';

/** Every file below a folder, by its path within. */
const filesBelow = (folder: string): readonly string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

const client = join(projectRoot, 'build', 'client');
const read = (folder: string): readonly (readonly [string, string])[] =>
	filesBelow(folder)
		.filter((path) => !/\.(?:br|gz|png)$/.test(path))
		.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);

/** Words that only server code or the configuration contains. */
const SERVER_ONLY = [
	'AUTH_SECRET',
	'AUTH_URL',
	'AUTH_TRUSTED',
	'DATABASE_URL',
	'EMAIL_API_KEY',
	'EMAIL_HOST',
	'process.env',
	'better-sqlite3',
	'nodemailer',
	'argon2',
	'drizzle',
	'postgres',
	'node:crypto',
	'createHmac',
	'timingSafeEqual',
	'hkdf',
	'postern_session',
	'auth_throttle',
	'token_hash',
	'select ',
	'sourceMappingURL',
	'StoreUnavailable'
];

describe('files that reach the client', () => {
	test('N08 the client’s files contain no setting, no server module and no path of the build machine', () => {
		const files = read(client);
		expect(files.length).toBeGreaterThan(10);
		const everywhere = [projectRoot.slice(0, -1), TEST_SECRET];
		const found = files.flatMap(([path, text]) =>
			[...SERVER_ONLY, ...everywhere]
				.filter((word) => text.includes(word))
				.map((word) => `${path}: ${word}`)
		);
		expect(found).toEqual([]);
	});

	onOneServer((fixture) => {
		test('N07 no spelling of a path reaches a file that is not public', async () => {
			const { server } = fixture;
			const { token } = await signIn(server);
			const targets = [
				'.env',
				'.git/config',
				'package.json',
				'data/postern.db',
				'src/hooks.server.ts',
				'build/server/start.js',
				'server/index.js',
				'build/server/index.js.map',
				'metrics',
				sqliteFile(server.databaseUrl).slice(1)
			];
			const all = targets.flatMap((target) => [
				`/${target}`,
				`/../../${target}`,
				`/_app/immutable/../../../../${target}`,
				`/%2e%2e%2f%2e%2e%2f${target.replaceAll('/', '%2f')}`,
				`/..%5c..%5c${target.replaceAll('/', '%5c')}`,
				`//${target}`,
				`/@fs/${target}`,
				`/${target}%00.svg`
			]);
			for (const headers of [{}, bearer(token)]) {
				for (const path of sampled(all, 3)) {
					const { status, text } = await call(server, path, { headers });
					const expected = 'authorization' in headers ? [400, 404] : [303, 400, 401, 404];
					expect([path, status, expected.includes(status)]).toEqual([path, status, true]);
					expect(text).not.toMatch(/SQLite format|"dependencies"|\[core\]|sveltekit-superforms/);
				}
			}
		});

		test('N07 the client’s files contain no source map and no source, and all of them are public', async () => {
			const files = filesBelow(client);
			expect(files.filter((path) => /\.(?:map|ts|svelte|json5?)$/.test(path))).toEqual([
				'_app/version.json'
			]);
			for (const path of files.filter((path) => path.endsWith('.js')).slice(0, 20)) {
				expect((await call(fixture.server, `/${path}.map`)).status).not.toBe(200);
			}
		});
	});
});
