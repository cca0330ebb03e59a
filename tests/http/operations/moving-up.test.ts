import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { dbBackup, dbCopy } from '../../support/process/run-program.ts';
import {
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	OUT,
	sendCode,
	signIn,
	verifyCode,
	whoIs
} from '../../support/http/client.ts';
import { openDatabase } from '../../support/http/database.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';

const ANOTHER_SECRET = 'Qz7uW2pLx9Vb4Nc8Ks1Ty6Rg3Hm5Jd0F-eAiOaEuI';

let folder: string;
let file: string;
let running: BuiltServer | undefined;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'postern-moving-'));
	file = join(folder, 'postern.db');
});
afterEach(async () => {
	await stop();
	rmSync(folder, { recursive: true, force: true });
});

/** One server at a time, as when an operator moves one. */
const start = async (
	databaseUrl: string,
	env: Readonly<Record<string, string>> = {}
): Promise<BuiltServer> => {
	await stop();
	running = await startBuiltServer({
		databaseUrl,
		env: { AUTH_URL: 'http://localhost:3000', ...env }
	});
	return running;
};

const stop = async (): Promise<void> => {
	expect(await running?.stop()).toBe(running === undefined ? undefined : 0);
	running = undefined;
};

test('after npm run db:copy all sessions, codes and pending changes work on PostgreSQL as before', async () => {
	const to = await createDatabase(inject('postgresUrl'));
	try {
		const before = await start(`file:${file}`);
		const [app, browser, leaver] = [
			await signIn(before),
			await signIn(before),
			await signIn(before)
		];
		const session = await me(before, bearer(app.token));
		expect(
			(await call(before, OUT, { method: 'POST', headers: bearer(leaver.token) })).status
		).toBe(200);
		const waiting = newAddress();
		const code = await freshCode(before, waiting);
		const eager = newAddress();
		for (let sends = 0; sends < 5; sends += 1) await sendCode(before, eager);
		expect((await sendCode(before, eager)).status).toBe(429);
		await stop();

		const { code: ended, stdout, stderr } = await dbCopy('--from', `file:${file}`, '--to', to);
		expect([ended, stderr]).toEqual([0, '']);
		expect(stdout).not.toContain('warning');

		const after = await start(to);
		// The same session, times included.
		expect(await me(after, bearer(app.token))).toEqual(session);
		expect(await whoIs(after, { cookie: browser.cookie })).toBe(browser.email);
		expect(await whoIs(after, bearer(leaver.token))).toBeNull();
		expect(await whoIs(after, { cookie: leaver.cookie })).toBeNull();
		expect((await verifyCode(after, waiting, code)).status).toBe(200);
		expect((await verifyCode(after, waiting, code)).status).toBe(400);
		expect((await sendCode(after, eager)).status).toBe(429);
		// A user who signs in again has the same account.
		const again = await signIn(after, app.email);
		expect((await me(after, bearer(again.token)))?.user['id']).toBe(session?.user['id']);
		expect((await call(after, OUT, { method: 'POST', headers: bearer(app.token) })).status).toBe(
			200
		);
		expect(await whoIs(after, bearer(app.token))).toBeNull();

		// The source is unchanged, so the operator can go back to it.
		const back = await start(`file:${file}`);
		expect(await whoIs(back, bearer(app.token))).toBe(app.email);
	} finally {
		await stop();
		await dropDatabase(inject('postgresUrl'), to);
	}
});

test('M17: a restored backup is complete, revives a session that ended after it, and either remedy ends that session', async () => {
	const backup = join(folder, 'backup.db');
	const restore = async (): Promise<void> => {
		await stop();
		// As the operating guide says: the side files of the earlier database do not belong to this
		// one.
		for (const rest of ['', '-wal', '-shm']) rmSync(file + rest, { force: true });
		cpSync(backup, file);
	};
	const server = await start(`file:${file}`);
	const [stays, leaves] = [await signIn(server), await signIn(server)];
	const saved = await dbBackup(`file:${file}`, backup);
	expect([saved.code, saved.stderr]).toEqual([0, '']);
	expect((await call(server, OUT, { method: 'POST', headers: bearer(leaves.token) })).status).toBe(
		200
	);
	expect(await whoIs(server, bearer(leaves.token))).toBeNull();
	const latecomer = await signIn(server);

	await restore();
	const restored = await start(`file:${file}`);
	const who = async (at: BuiltServer): Promise<readonly unknown[]> => [
		await whoIs(at, bearer(stays.token)),
		await whoIs(at, bearer(leaves.token)),
		await whoIs(at, bearer(latecomer.token))
	];
	expect(await who(restored)).toEqual([stays.email, leaves.email, null]);

	// First remedy: a new secret, without the old one in the list.
	const rotated = await start(`file:${file}`, { AUTH_SECRET: ANOTHER_SECRET });
	expect(await who(rotated)).toEqual([null, null, null]);
	expect(await whoIs(rotated, { cookie: leaves.cookie })).toBeNull();
	expect(await whoIs(rotated, bearer((await signIn(rotated, stays.email)).token))).toBe(
		stays.email
	);

	// Second remedy: delete all sessions.
	await restore();
	const database = openDatabase(`file:${file}`);
	await database.rows('delete from session');
	await database.close();
	const emptied = await start(`file:${file}`);
	expect(await who(emptied)).toEqual([null, null, null]);
	expect(await whoIs(emptied, bearer((await signIn(emptied, leaves.email)).token))).toBe(
		leaves.email
	);
});
