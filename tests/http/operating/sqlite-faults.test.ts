import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	rounds,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	whoIs,
	ME,
	OUT,
	type Answer,
	type Call,
	type SignedIn
} from '../../support/http/client.ts';
import { factsIn, openDatabase, type Database } from '../../support/http/database.ts';
import { processOf } from '../../support/process/server-process.ts';

const UNAVAILABLE = { message: 'Service unavailable', code: 'SERVICE_UNAVAILABLE' };
const STACK = /\bat .+:\d+:\d+|node_modules|SQLITE|insert |update /i;

const expectUnavailable = ({ status, headers, json }: Answer): void => {
	expect([status, json()]).toEqual([503, UNAVAILABLE]);
	expect(headers['retry-after']).toMatch(/^[1-9]\d?$/);
};

const expectUnavailablePage = ({ status, headers, text }: Answer): void => {
	expect(status).toBe(503);
	expect(headers['retry-after']).toMatch(/^[1-9]\d?$/);
	expect(headers['content-type']).toMatch(/^text\/html/);
	expect(text).not.toMatch(STACK);
	expect(textOf(text)).toMatch(/unavailable/i);
};

/** The requests of a user who only reads. */
const reading = ({ token, cookie }: SignedIn): readonly (readonly [string, Call?])[] => [
	['/healthz'],
	['/readyz'],
	[ME, { headers: bearer(token) }],
	['/app', { headers: { cookie } }],
	['/auth/sign-in']
];

describe('SQLite locked by another process', () => {
	let server: BuiltServer;
	let database: Database;
	let user: SignedIn;

	beforeAll(async () => {
		server = await startBuiltServer();
		database = openDatabase(server.databaseUrl);
		user = await signIn(server);
	});
	afterAll(async () => {
		await database.close();
		expect(await server.stop()).toBe(0);
	});

	/** Holds the write lock while `work` goes on. */
	const locked = async <T>(work: () => Promise<T>): Promise<T> => {
		await database.rows('begin immediate');
		try {
			return await work();
		} finally {
			await database.rows('rollback');
		}
	};

	/** All of these are answered with 200, before `locked` goes on. */
	const expectReads = async (): Promise<void> => {
		for (const [path, options] of reading(user)) {
			expect([path, (await call(server, path, options)).status]).toEqual([path, 200]);
		}
	};

	test('E22 M06 for longer than the time-out: writes answer 503 and work again after the lock ends; reads are answered meanwhile', async () => {
		const email = newAddress();
		const code = await freshCode(server, email);
		const browser = openBrowser(server);
		await browser.open('/auth/sign-in');
		const writes = () =>
			Promise.all([
				browser.post('/auth/sign-in?/request', { email: newAddress(), __superform_id: 'email' }),
				...times(5, () => sendCode(server, newAddress())),
				verifyCode(server, email, code),
				call(server, OUT, { json: {}, headers: bearer(user.token) })
			]);
		await locked(async () => {
			for (let wave = 0; wave < rounds(1, 3); wave += 1) {
				let isAnswered = false;
				const answers = writes().finally(() => (isAnswered = true));
				await expectReads();
				expect(isAnswered).toBe(false);
				const [page, ...others] = await answers;
				expectUnavailablePage(page);
				for (const answer of others) expectUnavailable(answer);
			}
		});

		expect((await verifyCode(server, email, code)).status).toBe(200);
		await freshCode(server, newAddress());
		expect(await whoIs(server, bearer(user.token))).toBe(user.email);
		expect(server.output()).toContain('store unavailable (SQLITE_BUSY)');
	});
});

describe('two processes on one SQLite', () => {
	test('M07 concurrent writes never fail because of a lock', async () => {
		// The test searches all output of a server for every code, so no server may live for minutes.
		for (let pair = 0; pair < rounds(1, 15); pair += 1) {
			const server = await startBuiltServer();
			const other = await startBuiltServer({ databaseUrl: server.databaseUrl });
			const seen: number[] = [];
			const note = (answer: Answer): Answer => {
				seen.push(answer.status);
				return answer;
			};
			/** Both servers answer it, as behind a balancer. */
			const somebody = async (): Promise<void> => {
				for (let round = 0; round < rounds(4, 200); round += 1) {
					const email = newAddress();
					note(await sendCode(server, email));
					const answer = note(await verifyCode(other, email, await server.codeFor(email)));
					const { token } = answer.json() as { token: string };
					note(await call(server, ME, { headers: bearer(token) }));
					note(await call(other, OUT, { json: {}, headers: bearer(token) }));
				}
			};
			await Promise.all(times(8, somebody));
			const logs = server.output() + other.output();
			await other.stop();
			await server.stop();
			expect(tally(seen)).toEqual({ 200: seen.length });
			expect(logs).not.toMatch(/SQLITE_BUSY|database is locked|"fault"/);
		}
	});
});

// A quota, as the system enforces it: no file of the server may grow. Linux can set it while it runs.
describe.skipIf(process.platform !== 'linux')('a quota that is used up', () => {
	let server: BuiltServer;
	beforeAll(async () => {
		server = await startBuiltServer();
	});
	afterAll(() => server.stop());

	const limitFiles = (bytes: number | 'unlimited'): void =>
		void execFileSync('prlimit', [`--pid=${processOf(server)}`, `--fsize=${bytes}:`]);

	test('M10 writes answer 503, signed-in users can read, the log has the reason, nothing is corrupt, and the server recovers by itself', async () => {
		const user = await signIn(server);
		const browser = openBrowser(server);
		const email = newAddress();
		await browser.post('/auth/sign-in?/request', { email, __superform_id: 'email' });
		const code = await server.codeFor(email);
		const other = newAddress();
		const otherCode = await freshCode(server, other);
		const database = openDatabase(server.databaseUrl);
		const before = await factsIn(database);
		// Writes could still overwrite the part of the log that is in the database already.
		await database.rows('pragma wal_checkpoint(truncate)');

		limitFiles(4096);
		const address = newAddress();
		for (let round = 0; round < 3; round += 1) {
			expectUnavailable(await sendCode(server, address));
			expectUnavailable(await verifyCode(server, other, otherCode));
			expectUnavailablePage(
				await browser.post('/auth/sign-in?/verify', { email, code, __superform_id: 'code' })
			);
			expectUnavailable(await call(server, OUT, { json: {}, headers: bearer(user.token) }));
			expect(await whoIs(server, bearer(user.token))).toBe(user.email);
			expect(await whoIs(server, { cookie: user.cookie })).toBe(user.email);
			for (const [path, options] of reading(user)) {
				expect([path, (await call(server, path, options)).status]).toEqual([path, 200]);
			}
		}
		expect(server.codesSentTo(address)).toBe(0);
		expect(server.output()).toContain('store unavailable (SQLITE_IOERR_WRITE)');
		expect(await factsIn(database)).toEqual(before);
		limitFiles('unlimited');

		// Immediately, and requests refused meanwhile used nothing up.
		const done = await browser.post('/auth/sign-in?/verify', {
			email,
			code,
			__superform_id: 'code'
		});
		expect([done.status, done.headers.location]).toEqual([303, '/app']);
		expect((await verifyCode(server, other, otherCode)).status).toBe(200);
		await freshCode(server, address);
		expect(await database.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
		expect(await database.rows('pragma foreign_key_check')).toEqual([]);
		await database.close();
		// From the file alone: no acknowledged write was in memory only.
		await server.crashAndRestart();
		expect(await whoIs(server, bearer(user.token))).toBe(user.email);
	});
});
