import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import postgres, { type Sql as Client } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { CHANNEL, readChange } from '#lib/adapters/postgres/notification-listener.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { systemClock } from '#lib/adapters/system/system.ts';
import {
	MAX_RECENT_CHANGES,
	type SeenSession
} from '#lib/adapters/web/edge/session/cache-validity.ts';
import { createDatabase, dropDatabase, onPostgres } from '../../support/postgres/cluster.ts';
import { believed, believer, type Believer } from './change-feed.contract.ts';
import { signIn } from '../account/account-examples.ts';
import { anEmail } from '../stores/examples.ts';

const scale = process.env.POSTERN_FULL === '1' ? 8 : 1;
/** Payloads of the greatest length PostgreSQL takes: 24 MB of them in the short form. */
const LONG = 3000 * scale;
/** Ids as our triggers send them: more than the record holds. */
const WELL_FORMED = 1.2 * MAX_RECENT_CHANGES * scale;
const PER_STATEMENT = 2000;
const MB = 2 ** 20;

/** Heap use after garbage collection. */
const heapInUse = (): number => {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
};

describe('R12: the notification channel, flooded by a role without permissions', () => {
	const role = `postern_${randomBytes(6).toString('hex')}`;
	let url: string;
	let one: Sql;
	let other: Sql;
	let attacker: Client;
	let tested: Believer;
	beforeAll(async () => {
		url = await createDatabase(inject('postgresUrl'));
		one = await openPostgres(url);
		other = await openPostgres(url);
		const clock = one.clock ?? systemClock();
		tested = believer({ changes: one.changes(), clock });
		await onPostgres(url, `create role ${role} login password 'pa55word'`);
		const theirs = new URL(url);
		theirs.username = role;
		theirs.password = 'pa55word';
		attacker = postgres(theirs.href, { max: 1, onnotice: () => {} });
	});
	afterAll(async () => {
		await attacker.end();
		await one.close();
		await other.close();
		await dropDatabase(inject('postgresUrl'), url);
		await onPostgres(inject('postgresUrl'), `drop role ${role}`);
	});

	/** A session that this process has cached and trusts. */
	const seenSession = async (): Promise<SeenSession> =>
		believed(tested, await signIn(sqlStores(other), anEmail(), { now: tested.now() }));
	/**
	 * Returns once this process has received all of them. While a transaction sends, every other one
	 * that notifies waits, so many short ones send them.
	 */
	const flood = async (payload: string, count: number): Promise<void> => {
		for (let from = 1; from <= count; from += PER_STATEMENT) {
			await attacker.unsafe(
				`select count(pg_notify('${CHANNEL}', ${payload}))
				from generate_series(${from}, ${Math.min(count, from + PER_STATEMENT - 1)}) i`
			);
		}
		const last = await seenSession();
		await sqlStores(other).sessions.endOne(last.user.id, last.session.id);
		// Notifications arrive in order, so the end of this session comes after the flood.
		await expect.poll(() => tested.isCurrent(last), { interval: 5 }).toBe(false);
	};

	it('the role can neither read nor write a table', async () => {
		await expect(attacker`select * from session`).rejects.toMatchObject({ code: '42501' });
		await expect(attacker`delete from "user"`).rejects.toMatchObject({ code: '42501' });
	});

	it('payloads that are not UUIDs are not kept', async () => {
		const before = heapInUse();
		await flood(`'session ' || i || repeat('x', 7900)`, LONG);
		expect(heapInUse() - before).toBeLessThan(15 * MB);
	});

	it('more UUIDs than the record holds make entries stale, and memory stays bounded', async () => {
		const seen = await seenSession();
		const before = heapInUse();
		await flood(`'session ' || gen_random_uuid()`, WELL_FORMED);
		expect(heapInUse() - before).toBeLessThan(20 * MB);
		// From now on it queries the store for this session and trusts the result.
		expect(tested.isCurrent(seen)).toBe(false);
		await seenSession();
	});

	it('during the flood, a sign-out in another process takes effect, and stays in effect', async () => {
		const seen = await seenSession();
		let done = false;
		const flooding = flood(`'account ' || gen_random_uuid()`, WELL_FORMED / 4).then(
			() => (done = true)
		);
		await sqlStores(other).sessions.endOne(seen.user.id, seen.session.id);
		await expect.poll(() => tested.isCurrent(seen), { interval: 5 }).toBe(false);
		while (!done) {
			expect(tested.isCurrent(seen)).toBe(false);
			await pause(1);
		}
		await flooding;
	});

	const id = '0198c0de-7b1d-7c3a-9f00-0123456789ab';
	it.each([
		['', 'session', 'session ', 'account', 'hello', id, `hello ${id}`, `drop ${id}`],
		[`session ${id} `, ` session ${id}`, `session  ${id}`, `session ${id}\n`, `session\t${id}`],
		[`session ${id} ${id}`, `session ${id}x`, `session ${id.slice(1)}`, `SESSION ${id}`],
		[`session ${id.toUpperCase()}`, `session {${id}}`, `session ${id.replaceAll('-', '')}`],
		[`session ${id.replace('a', 'g')}`, `session ${id}\0`, `session ${'x'.repeat(7900)}`]
	])('only the exact payloads of our triggers count as changes', (...payloads) => {
		for (const payload of payloads) {
			expect([payload, readChange(payload)]).toEqual([payload, null]);
		}
		for (const word of ['session', 'account']) expect(readChange(`${word} ${id}`)).toBe(id);
	});
});
