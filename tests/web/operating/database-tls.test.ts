import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configOf, problemsOf as refusals } from '../../support/web/config.ts';
import { aCertificate } from '../../support/mail/smtp-sink.ts';

type Settings = Readonly<Record<string, string>>;

const tlsOf = (url: string, env: Settings = {}) =>
	configOf({ ...env, DATABASE_URL: url }).database.access.tls;
const problemsOf = (url: string, env: Settings = {}): readonly string[] =>
	refusals({ ...env, DATABASE_URL: url });

const VERIFIED = { ca: null };
/** None of these connections leaves the machine. */
const HERE = [
	'postgres://postern:pa55word@localhost/postern',
	'postgres://LOCALHOST:5433/postern',
	'postgresql://127.0.0.1:5432/postern',
	'postgres://127.9.8.7/postern',
	'postgres://[::1]:5432/postern',
	'postgres://[::ffff:127.0.0.1]/postern',
	'postgres:///postern',
	'postgres://postern@%2Fvar%2Frun%2Fpostgresql/postern',
	// The driver by itself treats the first @ as the end of the password, and connects to `there`.
	'postgres://postern:x@there,y@localhost/postern'
];
const ELSEWHERE = [
	'postgres://postern:pa55word@db.example.org:5432/postern',
	'postgres://10.0.0.5/postern',
	'postgres://[::ffff:10.0.0.5]/postern',
	'postgres://database:5432/postern',
	'postgres://0.0.0.0/postern',
	'postgres://127.1/postern',
	'postgres://localhost.example.org/postern',
	'postgres://db.localhost/postern'
];
const WEAK = [
	...['sslmode=disable', 'sslmode=allow', 'sslmode=prefer', 'ssl=false', 'ssl=disable'],
	// Unknown ones request nothing either.
	...['sslmode=no-verify', 'sslmode=', 'sslmode=Require', 'ssl=0', 'sslmode=constructor']
];
const ASKING = ['sslmode=require', 'sslmode=verify-ca', 'sslmode=verify-full', 'ssl=true'];

describe('R10 N10: a connection to PostgreSQL', () => {
	test.each(HERE)('on this machine is plain: %s', (url) => {
		expect([tlsOf(url), configOf({ DATABASE_URL: url }).warnings]).toEqual([null, []]);
	});

	test.each(ELSEWHERE)('to another machine is verified: %s', (url) => {
		expect([tlsOf(url), configOf({ DATABASE_URL: url }).warnings]).toEqual([VERIFIED, []]);
	});

	test.each(ASKING)('is verified wherever %s asks for TLS', (mode) => {
		for (const url of [ELSEWHERE[0], 'postgres://127.0.0.1/postern']) {
			expect(tlsOf(`${url}?${mode}`)).toEqual(VERIFIED);
		}
	});

	test.each(WEAK)('to another machine is refused with %s', (mode) => {
		for (const url of ELSEWHERE) {
			const lines = problemsOf(`${url}?${mode}`);
			expect(lines).toEqual([
				expect.stringMatching(new RegExp(`^DATABASE_URL: ${mode} .+DATABASE_TLS=off`))
			]);
			expect(lines.join()).not.toContain('pa55word');
		}
		expect(tlsOf(`postgres://localhost/postern?${mode}`)).toBeNull();
	});

	test.each(['sslmode=verify-full&sslmode=disable', 'ssl=true&sslmode=prefer'])(
		'with contradictory settings is refused: %s',
		(query) => {
			for (const host of ['localhost', 'db.example.org']) {
				expect(problemsOf(`postgres://${host}/postern?${query}`)).toHaveLength(1);
			}
		}
	);

	test.each(['sslrootcert=/etc/ca.pem', 'sslcert=a.pem', 'sslkey=a.key'])(
		'with files as in libpq gets a message about DATABASE_CA: %s',
		(query) => {
			expect(problemsOf(`postgres://db.example.org/postern?${query}`)).toEqual([
				expect.stringMatching(/^DATABASE_URL: ssl\w+ has no effect here\. .+DATABASE_CA/)
			]);
		}
	);

	test.each(['one,db.example.org/db', 'localhost,%2Ftmp/db', 'one,two:6000/db'])(
		'to a list of servers is refused: %s',
		(list) => {
			const refusal = ['DATABASE_URL: it names several servers. Name one'];
			const url = `postgres://u:p@${list}`;
			expect(problemsOf(url)).toEqual(refusal);
			expect(problemsOf(url, { DATABASE_TLS: 'off' })).toEqual(refusal);
			const PGHOST = decodeURIComponent(new URL(url).hostname);
			expect(problemsOf('postgres:///db', { PGHOST })).toEqual(refusal);
		}
	);

	test('is that of PGHOST and PGPORT where the URL has no host', () => {
		const env = { PGHOST: 'db.example.org', PGPORT: '6000' };
		expect(configOf({ ...env, DATABASE_URL: 'postgres:///postern' }).database.access).toEqual({
			host: 'db.example.org',
			port: 6000,
			tls: VERIFIED
		});
		expect(tlsOf('postgres:///postern', { PGHOST: '/var/run/postgresql' })).toBeNull();
		expect(tlsOf('postgres://localhost/postern', env)).toBeNull();
	});

	test.each([
		['[::1]:6000', '::1', 6000],
		['postern:x@there,y@localhost', 'localhost', 5432],
		['a:b@%2Ftmp', '/tmp', 5432]
	])('connects to the checked server: %s', (authority, host, port) => {
		const { access } = configOf({ DATABASE_URL: `postgres://${authority}/postern` }).database;
		expect(access).toEqual({ host, port, tls: null });
	});
});

describe('DATABASE_TLS', () => {
	test.each(ELSEWHERE)('off makes %s plain, and a line at start says so', (url) => {
		const config = configOf({ DATABASE_URL: url, DATABASE_TLS: 'off' });
		expect(config.database.access.tls).toBeNull();
		expect(config.warnings).toEqual([expect.stringMatching(/^DATABASE_TLS=off: .+ can read/)]);
		expect(config.warnings.join()).not.toContain('pa55word');
	});

	test.each(WEAK)('off agrees with %s', (mode) => {
		expect(tlsOf(`${ELSEWHERE[0]}?${mode}`, { DATABASE_TLS: 'off' })).toBeNull();
	});

	test.each(ASKING)('off and %s contradict each other, which is refused', (mode) => {
		expect(problemsOf(`${ELSEWHERE[0]}?${mode}`, { DATABASE_TLS: 'off' })).toEqual([
			expect.stringMatching(/^DATABASE_URL: .+ requests TLS, but DATABASE_TLS=off turns it off/)
		]);
	});

	test('off changes nothing on this machine, so no line is printed', () => {
		for (const url of HERE) {
			expect(configOf({ DATABASE_URL: url, DATABASE_TLS: 'off' }).warnings).toEqual([]);
		}
		expect(configOf({ DATABASE_TLS: 'off' }).warnings).toEqual([]);
	});

	test('on requires it on this machine as well, and refuses a Unix socket', () => {
		expect(tlsOf('postgres://localhost/postern', { DATABASE_TLS: 'on' })).toEqual(VERIFIED);
		expect(problemsOf('postgres://%2Ftmp/postern', { DATABASE_TLS: 'on' })).toEqual([
			expect.stringMatching(/^DATABASE_URL: PostgreSQL has no TLS on a Unix socket/)
		]);
	});

	test.each(['no', 'OFF', '0', 'false', 'require'])('%s is not a valid value', (value) => {
		expect(problemsOf('postgres://localhost/postern', { DATABASE_TLS: value })).toEqual([
			`DATABASE_TLS: "${value}" is not a valid value. Set it to on or off, or remove it`
		]);
	});
});

describe('DATABASE_CA', () => {
	let folder: string;
	let pem: string;
	const file = (name: string, text: string): string => {
		writeFileSync(join(folder, name), text);
		return join(folder, name);
	};
	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'postern-ca-'));
		pem = (await aCertificate('an authority')).cert.trim();
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	test('contains certificates to verify against, one or more, with text between them', () => {
		const two = file('two.pem', `# one\r\n${pem}\n# another\n${pem}\n`);
		expect(tlsOf(ELSEWHERE[0] ?? '', { DATABASE_CA: two })).toEqual({ ca: `${pem}\n${pem}` });
	});

	test('requires TLS on this machine as well', () => {
		const ca = file('ca.pem', pem);
		expect(tlsOf('postgres://localhost/postern', { DATABASE_CA: ca })).toEqual({ ca: pem });
	});

	test('is refused at start if it is missing, empty, broken or not a certificate', () => {
		const broken = pem.replace(/\n.{12}/, '\nAAAAAAAAAAAA');
		const tried = [
			join(folder, 'none.pem'),
			folder,
			file('empty.pem', ''),
			file('key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'),
			file('broken.pem', broken)
		];
		for (const path of tried) {
			expect(problemsOf(ELSEWHERE[0] ?? '', { DATABASE_CA: path })).toEqual([
				expect.stringMatching(/^DATABASE_CA: .+\. Name a file with one or more certificates/)
			]);
		}
	});

	test('and DATABASE_TLS=off contradict each other', () => {
		const env = { DATABASE_CA: file('ca.pem', pem), DATABASE_TLS: 'off' };
		expect(problemsOf(ELSEWHERE[0] ?? '', env)).toEqual([
			expect.stringMatching(/^DATABASE_CA: .+ Remove one of the two/)
		]);
	});
});
