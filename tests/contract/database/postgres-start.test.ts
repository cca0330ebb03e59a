import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { migratePostgres } from '#lib/adapters/postgres/migrate.ts';
import { openTcpGate } from '../../support/process/tcp.ts';
import { emptyDatabase, journal, shipped } from '../../support/database/migration-fixtures.ts';
import { startFault } from '../../support/process/instance.ts';
import { refusingServer } from './pooler-servers.ts';

const PASSWORD = 'pa55word';

/** The error of a failed start, and what it printed before. */
const refused = async (url: string, retryFor = 30_000) => {
	const said: string[] = [];
	const say = (line: string) => void said.push(line);
	const message = await startFault(migratePostgres(url, { retryFor, say }));
	expect(`${message} ${said.join(' ')}`).not.toContain(PASSWORD);
	expect(message).toMatch(/^[^\n]+$/);
	return { message, said };
};

describe('a start on PostgreSQL', () => {
	const used: (() => Promise<void>)[] = [];
	/** An empty database, and a client of its superuser. */
	const open = async () => {
		const database = await emptyDatabase('postgres');
		const admin = postgres(database.url, { max: 1, onnotice: () => {} });
		used.push(() => admin.end(), database.remove);
		return { database, admin };
	};
	afterEach(async () => {
		for (const remove of used.splice(0)) await remove();
	});

	it.each([
		[
			'28P01',
			`password authentication failed, not ${PASSWORD}`,
			'refused the user or the password'
		],
		['28000', `no pg_hba.conf entry for user "${PASSWORD}"`, 'does not allow this user to connect'],
		['3D000', `database "${PASSWORD}" does not exist`, 'no database of this name'],
		['XX000', `something about ${PASSWORD}`, 'cannot be used']
	])(
		'N10: that the server refuses with %s ends immediately with one line',
		async (code, text, why) => {
			const server = await refusingServer({ code, message: text });
			const { message, said } = await refused(
				`postgres://ada:${PASSWORD}@127.0.0.1:${server.port}/postern`
			);
			await server.stop();
			expect(message).toMatch(new RegExp(`^DATABASE_URL: .*${why}.* \\(${code}\\)\\. [A-Z]`));
			expect(said).toEqual([]);
		}
	);

	it.each([
		['postgres://ada:pa/55word@db:5432/postern', 'ERR_INVALID_URL'],
		['postgres://ada:pa%5word@db:5432/postern', 'URIError']
	])('with a URL that cannot be parsed shows the right format', async (url, code) => {
		const { message } = await refused(url);
		expect(message).toMatch(
			new RegExp(
				`^DATABASE_URL: it is not a valid URL \\(${code}\\)\\. In user and password, write .*%40`
			)
		);
		expect(message).not.toContain('55word');
	});

	it('without the right to create tables says so; with nothing to create it does not need that right', async () => {
		const { database, admin } = await open();
		const role = `postern_${randomBytes(6).toString('hex')}`;
		await admin.unsafe(`create role ${role} login password '${PASSWORD}'`);
		const url = new URL(database.url);
		url.username = role;
		url.password = PASSWORD;
		expect((await refused(url.href)).message).toBe(
			'DATABASE_URL: this user may not create tables (42501). Make it the owner of the database'
		);
		await migratePostgres(database.url);
		await admin.unsafe(`grant usage on schema drizzle to ${role}`);
		await admin.unsafe(`grant select on all tables in schema drizzle to ${role}`);
		await migratePostgres(url.href);
		await admin.unsafe(`drop owned by ${role}`);
		await admin.unsafe(`drop role ${role}`);
	});

	it.each([
		['no server listens', async () => ({ port: 1, stop: async () => undefined }), 'ECONNREFUSED'],
		[
			'the server is starting up',
			() => refusingServer({ code: '57P03', message: 'the database system is starting up' }),
			'57P03'
		],
		['a proxy closes the connection', () => refusingServer(null), 'NO_ANSWER']
	])('M08: is retried for a while when %s, and one line says so', async (_, listen, code) => {
		const server = await listen();
		const { message, said } = await refused(
			`postgres://ada:${PASSWORD}@127.0.0.1:${server.port}/postern`,
			300
		);
		await server.stop();
		const line = `DATABASE_URL: PostgreSQL cannot be reached (${code}). Start it, or correct the host and the port`;
		expect(said).toEqual([`${line}. Retrying for 0.3 seconds`]);
		expect(message).toBe(line);
	});

	it('M08: waits for a database that is not up yet', async () => {
		const { database } = await open();
		const url = new URL(database.url);
		const gate = await openTcpGate(Number(url.port));
		await gate.shut();
		url.port = String(gate.port);
		const lines: string[] = [];
		const started = migratePostgres(url.href, {
			retryFor: 30_000,
			say: (line) => void lines.push(line)
		});
		await expect.poll(() => lines.length).toBe(1);
		await gate.open();
		await started;
		await gate.shut();
		expect(lines).toHaveLength(1);
		expect(await journal(database.url)).toEqual(shipped('postgres'));
	});

	it('M15: waits while another instance migrates, says so once, and continues afterwards', async () => {
		const { database, admin } = await open();
		await admin`select pg_advisory_lock(7767837)`;
		const lines: string[] = [];
		const started = migratePostgres(database.url, {
			noticeAfter: 50,
			say: (line) => void lines.push(line)
		});
		await expect
			.poll(() => lines)
			.toEqual(['another instance is running migrations, waiting for it to finish']);
		await admin`select pg_advisory_unlock(7767837)`;
		await started;
		expect(lines).toHaveLength(1);
		expect(await journal(database.url)).toEqual(shipped('postgres'));
	});
});
