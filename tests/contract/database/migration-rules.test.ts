import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
	migrationFailed,
	pendingMigrations,
	shippedMigrations
} from '#lib/adapters/sql/migrations.ts';

const migration = (at: number, text: string) => ({
	sql: text.split('--> statement-breakpoint'),
	folderMillis: at,
	hash: createHash('sha256').update(text).digest('hex'),
	bps: true
});
const text = 'create table a;\n--> statement-breakpoint\ncreate table b;\n';
const [first, second, third] = [
	migration(1, text),
	migration(2, 'create table c;\n'),
	migration(3, 'create table d;\n')
];
const done = (...ran: readonly ReturnType<typeof migration>[]) =>
	ran.map(({ hash, folderMillis }) => ({ hash, at: folderMillis }));

test('the migrations that did not run yet are pending', () => {
	const shipped = [first, second, third];
	expect(pendingMigrations(shipped, [])).toEqual(shipped);
	expect(pendingMigrations(shipped, done(first))).toEqual([second, third]);
	expect(pendingMigrations(shipped, done(first, second))).toEqual([third]);
	const real = shippedMigrations('sqlite');
	expect(pendingMigrations(real, done(...real.map((one) => ({ ...one, bps: true }))))).toEqual([]);
});

test.each([
	['a later one, without any of ours', [], done(first), 'newer version of Postern'],
	['a later one', [first, second], done(first, second, third), 'newer version of Postern'],
	['another text', [first, second], done(first, migration(2, 'x')), 'migration 0001 in the'],
	['another time', [first, third], done(first, second), 'migration 0001 in the'],
	['one too many', [third], done(third, first), 'migration 0001 in the']
] as const)('M16: a database with other migrations is refused: %s', (_what, shipped, ran, why) => {
	expect(() => pendingMigrations(shipped, ran)).toThrow(why);
});

test('a failed migration is reported in one line', () => {
	expect(migrationFailed(12, 'near "x":\n\t syntax error').message).toBe(
		'migration 0012 failed, and nothing was changed (near "x": syntax error). Start the previous version, and report this error'
	);
});

test('the migrations belong beside the build that runs, or in the working directory', () => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-installed-'));
	const [, program] = process.argv;
	const shippedFrom = (path: string): unknown => {
		process.argv[1] = join(folder, path);
		return shippedMigrations('postgres').length;
	};
	try {
		const missing =
			'drizzle/postgres is missing or incomplete. It belongs beside the folder "build"';
		expect(() => shippedFrom('build/server/index.js')).toThrow(missing);
		for (const path of ['build/server/chunks/a.js', 'rebuild/server/a.js', 'build/observer/a.js']) {
			expect(shippedFrom(path)).toBeGreaterThan(0);
		}
	} finally {
		process.argv[1] = program ?? '';
		rmSync(folder, { recursive: true });
	}
});
