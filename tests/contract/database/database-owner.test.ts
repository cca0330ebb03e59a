import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { onPostgres } from '../../support/postgres/cluster.ts';
import { believed, believer } from '../sessions/change-feed.contract.ts';
import { signIn } from '../account/account-examples.ts';
import { anEmail } from '../stores/examples.ts';

const script = readFileSync(join(projectRoot, 'deploy', 'database.sql'), 'utf8');

describe('N09: a database user as deploy/database.sql creates it', () => {
	const role = `postern_${randomBytes(6).toString('hex')}`;
	const server = inject('postgresUrl');
	const url = new URL(server);
	beforeAll(async () => {
		url.username = role;
		url.password = 'pa55word';
		url.pathname = role;
		// With names of its own; this test runs the statements that psql would run.
		const statements = script
			.replace(/^(?:--|\\).*$/gm, '')
			.replaceAll('postern', role)
			.replace(":'password'", "'pa55word'")
			.split(';')
			.filter((statement) => /^\s*create /.test(statement));
		expect(statements).toHaveLength(2);
		await onPostgres(server, ...statements);
	});
	afterAll(async () => {
		await onPostgres(server, `drop database ${role} with (force)`, `drop role ${role}`);
	});

	it('can migrate, sign users in, and receive notifications of ended sessions', async () => {
		const [one, other] = [await openPostgres(url.href), await openPostgres(url.href)];
		const clock = one.clock ?? { now: () => new Date() };
		const tested = believer({ changes: one.changes(), clock });
		const redeemed = await signIn(sqlStores(other), anEmail(), { now: clock.now() });
		const seen = await believed(tested, redeemed);
		await sqlStores(other).sessions.endOne(seen.user.id, seen.session.id);
		await expect.poll(() => tested.isCurrent(seen)).toBe(false);
		await one.close();
		await other.close();
	});

	it.each([
		['reads files of the server', `select pg_read_file('/etc/hostname')`],
		['runs programs on it', `copy (select 1) to program 'true'`],
		['creates roles', 'create role another'],
		['creates databases', 'create database another'],
		['reads the passwords of others', 'select * from pg_authid']
	])('never %s', async (_, statement) => {
		await expect(onPostgres(url.href, statement)).rejects.toMatchObject({ code: '42501' });
	});
});
