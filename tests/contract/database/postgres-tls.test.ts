import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { migratePostgres } from '#lib/adapters/postgres/migrate.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { startFault as lineOf } from '#lib/adapters/postgres/start-fault.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { databaseAccess, type DatabaseAccess } from '#lib/config/database.ts';
import {
	dbCopy,
	dbCopyWith,
	runScript,
	type ProgramRun
} from '../../support/process/run-program.ts';
import { onPostgres, startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';
import { ASKED_ROLE, writeCertificate } from '../../support/postgres/tls.ts';
import { startFault } from '../../support/process/instance.ts';
import { aCertificate, type Certificate } from '../../support/mail/smtp-sink.ts';

const accessTo = (
	url: string,
	ca: string | null,
	tls: 'on' | 'off' | null = 'on'
): DatabaseAccess => {
	const decided = databaseAccess({
		DATABASE_URL: url,
		DATABASE_CA: ca ?? undefined,
		DATABASE_TLS: tls ?? undefined
	});
	if (!decided.ok) throw new Error(decided.error);
	return decided.value;
};

/** The error of a failed start, and whether it retried. */
const refused = async (url: string, access: DatabaseAccess) => {
	const lines: string[] = [];
	const say = (line: string) => void lines.push(line);
	const message = await startFault(migratePostgres(url, { access, retryFor: 30_000, say }));
	expect(message).toMatch(/^[^\n]+$/);
	expect(lines).toEqual([]);
	return message;
};

let folder: string;
let server: PostgresServer;
let certificate: Certificate;
/** By the name in the certificate, which resolves to 127.0.0.1. */
let url: string;
let caFile: string;
const asAdmin = (statement: string) => onPostgres(server.url, statement);
const byName = (one: string): string => one.replace('127.0.0.1', 'localhost');
const at = (host: string): string => {
	const other = new URL(url);
	other.hostname = host;
	return other.href;
};
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'postern-tls-'));
	certificate = await aCertificate('localhost');
	server = await startPostgres({ tls: certificate });
	url = byName(await server.createDatabase());
	caFile = join(folder, 'ca.pem');
	writeFileSync(caFile, certificate.cert);
});
afterAll(async () => {
	await server.stop();
	rmSync(folder, { recursive: true });
});

describe('db:copy to a database whose user has a password and is not a superuser', () => {
	const password = 'p@ss:w/%41#?';
	let from: string;
	let to: string;
	beforeAll(async () => {
		from = `file:${join(folder, 'source.db')}`;
		await (await openSqlite(from)).close();
		await asAdmin(`create role ${ASKED_ROLE} login nosuperuser password '${password}'`);
	});
	beforeEach(async () => {
		const target = new URL(byName(await server.createDatabase()));
		const name = target.pathname.slice(1);
		await asAdmin(`alter database "${name}" owner to ${ASKED_ROLE}`);
		target.username = ASKED_ROLE;
		to = target.href;
	});
	const withPassword = (): string => {
		const target = new URL(to);
		target.password = encodeURIComponent(password);
		return target.href;
	};
	/** No output contains the password. */
	const copied = ({ code, stdout, stderr }: ProgramRun): readonly unknown[] => {
		expect(stdout + stderr).not.toContain(password);
		expect(stdout + stderr).not.toContain(encodeURIComponent(password));
		return [code, stderr, stdout.includes('every row matches')];
	};

	it('takes the password from PGPASSWORD', async () => {
		const env = { DATABASE_CA: caFile, PGPASSWORD: password };
		expect(copied(await dbCopyWith(env, '--from', from, '--to', to))).toEqual([0, '', true]);
	});

	it('takes the password from DATABASE_URL, or from the arguments with a warning', async () => {
		const env = { DATABASE_CA: caFile };
		const whole = await dbCopyWith({ ...env, DATABASE_URL: withPassword() }, '--from', from);
		expect(copied(whole)).toEqual([0, '', true]);
		// The source has no rows, so the target is still empty.
		const run = await dbCopyWith(env, '--from', from, '--to', withPassword());
		expect(copied(run)).toEqual([0, '', true]);
		expect([whole, run].map(({ stdout }) => /warning: the arguments contain/.test(stdout))).toEqual(
			[false, true]
		);
	});

	it('without a password, or with an empty or a wrong one, prints one line', async () => {
		const [none, empty, wrong] = await Promise.all(
			[{}, { PGPASSWORD: '' }, { PGPASSWORD: 'wrong' }].map((env) =>
				dbCopyWith({ DATABASE_CA: caFile, ...env }, '--from', from, '--to', to)
			)
		);
		for (const run of [none, empty, wrong]) {
			expect([run?.code, run?.stderr]).toEqual([
				1,
				expect.stringMatching(/^\[postern\] --to: PostgreSQL refused .+PGPASSWORD\n$/)
			]);
		}
	});
});

describe('R10 N10: PostgreSQL with TLS', () => {
	it('refuses plain connections, so every connection below is encrypted', async () => {
		expect(await refused(at('127.0.0.1'), accessTo(at('127.0.0.1'), null, 'off'))).toContain(
			'28000'
		);
	});

	it('is used by every connection of an instance, verified by the configured authority', async () => {
		const sql = await openPostgres(url, { access: accessTo(url, certificate.cert) });
		const feed = sql.changes();
		await expect.poll(() => feed.reliableSince()).not.toBeNull();
		const connections = await asAdmin(
			`select ssl, count(*)::int from pg_stat_ssl join pg_stat_activity using (pid)
				where datname = '${new URL(url).pathname.slice(1)}' group by ssl`
		);
		await sql.close();
		expect(connections).toEqual([{ ssl: true, count: expect.any(Number) as number }]);
		expect(connections[0]?.['count']).toBeGreaterThan(1);
	});

	it('with a certificate of another authority ends the start immediately', async () => {
		const other = await aCertificate('localhost');
		for (const ca of [other.cert, null]) {
			expect(await refused(url, accessTo(url, ca))).toMatch(
				/^DATABASE_URL: the certificate of PostgreSQL is not from a trusted authority \(\w+\)\. Set DATABASE_CA to /
			);
		}
	});

	it('with a certificate for another host ends the start immediately', async () => {
		// With an IP address as host, the driver checks the certificate for "localhost".
		expect(await refused(at('127.0.0.1'), accessTo(at('127.0.0.1'), certificate.cert))).toMatch(
			/^DATABASE_URL: the certificate of PostgreSQL is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)\. /
		);
	});

	it.each(['require', 'verify-full'])('is verified for sslmode=%s', async (mode) => {
		const withMode = `${url}?sslmode=${mode}`;
		const message = migratePostgres(withMode);
		await expect(message).rejects.toThrow('not from a trusted authority');
		await migratePostgres(withMode, { access: accessTo(withMode, certificate.cert, null) });
	});

	it('is verified by tasks and by db:copy, which take the authority from the environment', async () => {
		const from = `file:${join(folder, 'postern.db')}`;
		await (await openSqlite(from)).close();
		const to = byName(await server.createDatabase());
		const env = { DATABASE_CA: caFile };
		const withMode = `${to}?sslmode=verify-full`;
		const [known, unknown, copied] = await Promise.all([
			runScript({ address: 'http://localhost:3000', databaseUrl: url }, 'task', ['account:purge'], {
				env
			}),
			dbCopy('--from', from, '--to', withMode),
			dbCopyWith(env, '--from', from, '--to', to)
		]);
		expect([known.code, known.stderr]).toEqual([0, '']);
		expect([copied.code, copied.stderr]).toEqual([0, '']);
		expect([unknown.code, unknown.stderr]).toEqual([
			1,
			expect.stringContaining('not from a trusted authority')
		]);
	});

	it('on an IP address is verified for that address', async () => {
		const byAddress = await aCertificate('db.example.org', '127.0.0.1');
		writeCertificate(server.dataDir, byAddress);
		await asAdmin('select pg_reload_conf()');
		const there = at('127.0.0.1');
		const access = accessTo(there, byAddress.cert);
		await expect
			.poll(() => migratePostgres(there, { access }).then(() => 'it started', String))
			.toBe('it started');
		expect(await refused(url, accessTo(url, byAddress.cert))).toContain('is for another host');
	});
});

describe('R10 N10: PostgreSQL without TLS', () => {
	it('is retried, as during a restart, with a line that names both remedies', async () => {
		const url = inject('postgresUrl');
		for (const one of [url, `${url}?sslmode=require`]) {
			const access = accessTo(one, null);
			const lines: string[] = [];
			const say = (line: string) => void lines.push(line);
			const message = await startFault(migratePostgres(one, { access, retryFor: 300, say }));
			expect(message).toMatch(
				/^DATABASE_URL: PostgreSQL closed the connection \(ECONNRESET\)\. .+ DATABASE_TLS=off /
			);
			expect(lines).toEqual([`${message}. Retrying for 0.3 seconds`]);
		}
	});

	it.each([
		['CERT_HAS_EXPIRED', 'has expired or is not valid yet'],
		['CERT_NOT_YET_VALID', 'has expired or is not valid yet'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not from a trusted authority'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'not from a trusted authority'],
		['CERT_REVOKED', 'not from a trusted authority'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS with PostgreSQL failed']
	])('%s has its own line', (code, words) => {
		expect(lineOf(Object.assign(new Error('x'), { code })).message).toContain(words);
	});
});
