import postgres from 'postgres';
import { describe, expect, inject, it } from 'vitest';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { inTurn } from '../../support/database/in-turn.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';
import { aChallenge, aGuess, aRedemption, at, policy } from '../stores/examples.ts';
import {
	raceFirstSignIns,
	raceGuesses,
	raceIssueBesideGuess,
	raceRedemptions,
	raceRefreshes,
	raceSends
} from '../stores/races.ts';

/** A new database after some statements of its administrator. */
const databaseWith = async (statements: (name: string) => string[]) => {
	const server = inject('postgresUrl');
	const url = await createDatabase(server);
	const admin = postgres(server, { max: 1, onnotice: () => {} });
	for (const statement of statements(new URL(url).pathname.slice(1))) await admin.unsafe(statement);
	await admin.end();
	return { url, remove: () => dropDatabase(server, url) };
};

describe('PostgreSQL', () => {
	for (const level of ['repeatable read', 'serializable']) {
		it(`B02: the counts are exact and nothing fails with the database default ${level}`, async () => {
			const { url, remove } = await databaseWith((name) => [
				`alter database "${name}" set default_transaction_isolation = '${level}'`,
				`alter database "${name}" set timezone = 'Asia/Kathmandu'`,
				`alter database "${name}" set datestyle = 'German, DMY'`
			]);
			const databases = [inTurn(await openPostgres(url)), inTurn(await openPostgres(url))];
			const instances = databases.map(sqlStores);
			expect(await raceSends(instances, 100)).toBe(5);
			expect(await raceGuesses(instances, 100)).toBe(5);
			expect(await raceRedemptions(instances, 50)).toBe(1);
			expect(await raceRefreshes(instances, 50)).toBe(1);
			expect(await raceFirstSignIns(instances, 50)).toMatchObject({ signedIn: 50, created: 1 });
			expect(await raceIssueBesideGuess(instances, 10)).toEqual({
				earlierWorked: 0,
				newestFailed: 0
			});
			for (const database of databases) await database.close();
			await remove();
		});
	}

	it('keeps times exact with any time zone and date style of the database', async () => {
		const { url, remove } = await databaseWith((name) => [
			`alter database "${name}" set timezone = 'America/New_York'`,
			`alter database "${name}" set datestyle = 'SQL, DMY'`
		]);
		const sql = await openPostgres(url);
		const challenge = aChallenge({ expiresAt: new Date('2026-03-08T07:30:00.123Z') });
		const { challenges } = sqlStores(sql);
		await challenges.issue(challenge, at(0));
		expect(await challenges.countAttempt(aGuess(), at(1), policy)).toEqual({
			...challenge,
			attempts: 1
		});
		await sql.close();
		await remove();
	});

	it('a query on a closed database throws StoreUnavailable', async () => {
		const { url, remove } = await databaseWith(() => []);
		const sql = await openPostgres(url);
		const { challenges, signIns } = sqlStores(sql);
		await sql.close();
		const fault = { name: 'StoreUnavailable', reason: 'CONNECTION_ENDED' };
		await expect(challenges.countAttempt(aGuess(), at(1), policy)).rejects.toMatchObject(fault);
		await expect(signIns.redeem(aRedemption(aChallenge()))).rejects.toMatchObject(fault);
		await remove();
	});
});
