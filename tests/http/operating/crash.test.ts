import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { changeByCode, changeCode, DELETE, rowsOf } from '../../support/http/account.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	rounds,
	sendCode,
	signIn,
	verifyCode,
	whoIs
} from '../../support/http/client.ts';
import { openDatabase, type Database } from '../../support/http/database.ts';
import { ENGINES, ENGINES_OF_FORM } from '../../support/http/fixtures.ts';
import type { Engine } from '../../support/http/open-fixture.ts';
import { complaintsAbout, damageOf } from './simulation/journal-check.ts';
import { startLoad, type Load } from './simulation/load.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { codeMailedTo } from '../../support/mail/mailed.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';
import { between, newSeed, seeded } from '../../support/http/seeded.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

const CLIENTS = 8;
/** The number of rounds on one database. */
const ROUNDS_EACH = 10;

let postgres: PostgresServer;
beforeAll(async () => {
	// This server writes through to the disk, and no other test uses it.
	postgres = await startPostgres({ fsync: true });
});
afterAll(() => postgres.stop());

/** A server with its database, both used by this test only. */
interface Stand {
	readonly server: BuiltServer;
	readonly database: Database;
	end(): Promise<void>;
}

const startOwnServer = async (
	engine: Engine,
	env: Readonly<Record<string, string>> = {}
): Promise<Stand> => {
	const databaseUrl = engine === 'SQLite' ? {} : { databaseUrl: await postgres.createDatabase() };
	const server = await startBuiltServer({ ...databaseUrl, env });
	const database = openDatabase(server.databaseUrl);
	const end = async (): Promise<void> => {
		await database.close();
		await server.stop();
	};
	return { server, database, end };
};

const expectReadiness = async (server: BuiltServer): Promise<void> => {
	const ready = () => call(server, '/readyz').then(({ status }) => status);
	await expect.poll(ready, { interval: 20 }).toBe(200);
};

/** Kills something and starts it again, after announcing it to the load. */
type Pull = (server: BuiltServer, load: Load) => Promise<void>;

const killServer: Pull = async (server, load) => {
	await server.crashAndRestart();
	await load.over();
	await expectReadiness(server);
};

const crashPostgres: Pull = async (server, load) => {
	const starts = server.output().split('] listening on ').length;
	await postgres.crash();
	await load.over();
	await postgres.restart();
	await expectReadiness(server);
	expect(server.output().split('] listening on ')).toHaveLength(starts);
};

// The server holds nothing of a write in memory, whichever database it has.
describe.each([
	...ENGINES_OF_FORM.map((engine) => ['M01', engine, 'the server by kill -9', killServer] as const),
	['M02', 'PostgreSQL', 'the database by an immediate stop', crashPostgres]
] as const)('%s under load', (id, engine, what, pull) => {
	test(`${id} on ${engine} after stopping ${what}: every acknowledged write is there, and no write is half done`, async () => {
		const seed = newSeed();
		const chance = seeded(seed);
		const unanswered: string[] = [];
		const count = rounds(1, 120);
		let at: Stand | undefined;
		// A crash that hits too few requests in flight proves too little, so another round follows.
		for (let round = 0; round < count || unanswered.length <= count; round += 1) {
			if (round % ROUNDS_EACH === 0) {
				await at?.end();
				at = await startOwnServer(engine);
			}
			const { server, database } = at as Stand;
			const load = startLoad({
				server,
				clients: CLIENTS,
				seed,
				name: `round${round}`,
				allows503: true
			});
			await load.acknowledged(between(chance, 40, rounds(80, 200)));
			await pause(chance() * 20);
			load.stop();
			await pull(server, load);

			unanswered.push(...load.unanswered());
			const checked = { lives: load.lives, server, database };
			expect({
				seed,
				round,
				failures: load.failures,
				complaints: await complaintsAbout(checked),
				damage: await damageOf(server.databaseUrl)
			}).toEqual({ seed, round, failures: [], complaints: [], damage: [] });
		}
		await at?.end();
	});
});

// Several statements in one transaction: SQLite runs them without a pause in between.
describe.each(ENGINES.slice(rounds(1, 0)))('between two statements on %s', (engine) => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-failpoint-'));
	const armed = join(folder, 'armed');
	let server: BuiltServer;
	let database: Database;
	let end: Stand['end'];

	beforeAll(async () => {
		const planter = pathToFileURL(join(import.meta.dirname, './failpoint.ts')).href;
		const env = { NODE_OPTIONS: `--import=${planter}`, TEST_FAILPOINT: armed };
		({ server, database, end } = await startOwnServer(engine, env));
	});
	afterAll(async () => {
		await end();
		rmSync(folder, { recursive: true });
	});

	/** Whether the server died before such a statement of a request. */
	const diesBefore = async (
		statement: string,
		request: () => Promise<unknown>
	): Promise<boolean> => {
		writeFileSync(armed, statement);
		const answered = await request().then(
			() => true,
			() => false
		);
		await server.crashAndRestart();
		return !answered;
	};
	const counts = async (email: string): Promise<Record<string, number>> => {
		const tables = ['user', 'user_data', 'session', 'verification'] as const;
		const rows = await Promise.all(tables.map((table) => rowsOf({ database }, table, email)));
		return Object.fromEntries(tables.map((table, i) => [table, rows[i]?.length ?? 0]));
	};

	test('M04 killed between consuming a code and opening its session: neither has happened, and the code still works', async () => {
		const email = newAddress();
		for (const accounts of [0, 1]) {
			const code = await freshCode(server, email);
			const before = { user: accounts, user_data: accounts, session: accounts, verification: 1 };
			expect(await counts(email)).toEqual(before);
			expect(await diesBefore('insert into "session"', () => verifyCode(server, email, code))).toBe(
				true
			);
			expect(await counts(email)).toEqual(before);
			expect((await verifyCode(server, email, code)).status).toBe(200);
			expect(await counts(email)).toEqual({
				user: 1,
				user_data: 1,
				session: accounts + 1,
				verification: 0
			});
		}
	});

	test('M04 killed during an email change or a deletion: neither has happened, and both can be repeated', async () => {
		const [person, to] = [await signIn(server), newAddress()];
		const other = await signIn(server, person.email);
		const code = await changeCode(server, person, to);
		const before = [await counts(person.email), await counts(to)];
		const move = () => changeByCode(server, bearer(person.token), to, code);
		expect(await diesBefore('delete from "session"', move)).toBe(true);
		expect([await counts(person.email), await counts(to)]).toEqual(before);
		expect(await whoIs(server, bearer(other.token))).toBe(person.email);
		expect((await move()).status).toBe(200);

		const moved = await counts(to);
		const remove = () => call(server, DELETE, { json: {}, headers: bearer(person.token) });
		expect(await diesBefore('delete from "session"', remove)).toBe(true);
		expect(await counts(to)).toEqual(moved);
		expect(await whoIs(server, bearer(person.token))).toBe(to);
		expect((await remove()).status).toBe(200);
		expect(await whoIs(server, bearer(person.token))).toBeNull();
	});
});

describe.each(ENGINES_OF_FORM)('while an email is handed over on %s', (engine) => {
	let sink: SmtpSink;
	let server: BuiltServer;
	let database: Database;
	let end: Stand['end'];

	beforeAll(async () => {
		sink = await startSmtpSink();
		({ server, database, end } = await startOwnServer(engine, mailingThrough(sink.port)));
	});
	afterAll(async () => {
		await end();
		await sink.stop();
	});

	/**
	 * Kills the server when the mail server has received the text of an email and has not confirmed
	 * it.
	 */
	const killAtData = async (email: string, request: () => Promise<unknown>): Promise<void> => {
		sink.behave('hang_after_data', email);
		const answer = request().catch(() => undefined);
		await mailsTo(email, 1);
		await server.crashAndRestart();
		await answer;
		sink.behave('accept');
	};
	const mailsTo = (email: string, count: number): Promise<void> =>
		expect
			.poll(() => sink.mails.filter(({ recipients }) => recipients.includes(email)).length, {
				interval: 5
			})
			.toBe(count);
	const sendsTo = async (email: string): Promise<number> => {
		const [row = {}] = await rowsOf({ database }, 'auth_throttle', email);
		return [1, 2, 3, 4, 5].filter((place) => (row[`sent_at_${place}`] ?? null) !== null).length;
	};

	test('M05 killed while a sign-in code is handed over: one send is counted, the others remain, and the newest code works', async () => {
		const email = newAddress();
		await killAtData(email, () => sendCode(server, email));
		expect(await sendsTo(email)).toBe(1);
		for (let sends = 2; sends <= 5; sends += 1) {
			expect((await sendCode(server, email)).status).toBe(200);
		}
		expect((await sendCode(server, email)).status).toBe(429);
		const code = await codeMailedTo(sink, email);
		expect((await verifyCode(server, email, code)).status).toBe(200);
	});
});
