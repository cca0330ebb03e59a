import { describe, expect, inject, it } from 'vitest';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { inTurn } from '../../support/database/in-turn.ts';
import { createDatabase, dropDatabase, onPostgres } from '../../support/postgres/cluster.ts';
import { aChallenge, anAttempt, aRedemption, at, policy } from '../stores/examples.ts';
import {
	raceFirstSignIns,
	raceAttempts,
	raceIssueBesideGuess,
	raceRedemptions,
	raceRefreshes,
	raceSends
} from '../stores/races.ts';

describe('PostgreSQL', () => {
	it('B02: the counts and times are exact, and nothing fails, with any defaults of the database', async () => {
		const server = inject('postgresUrl');
		const url = await createDatabase(server);
		const settings = [
			`default_transaction_isolation = 'serializable'`,
			`timezone = 'America/New_York'`,
			`datestyle = 'German, DMY'`
		];
		const name = new URL(url).pathname.slice(1);
		await onPostgres(url, ...settings.map((one) => `alter database "${name}" set ${one}`));
		const databases = [inTurn(await openPostgres(url)), inTurn(await openPostgres(url))];
		const instances = databases.map(sqlStores);
		expect(await raceSends(instances, 20)).toBe(5);
		expect(await raceAttempts(instances, 20)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(await raceRedemptions(instances, 10)).toBe(1);
		expect(await raceRefreshes(instances, 10)).toBe(1);
		expect(await raceFirstSignIns(instances, 10)).toMatchObject({ signedIn: 10, created: 1 });
		expect(await raceIssueBesideGuess()(instances, 10)).toEqual({
			earlierWorked: 0,
			newestFailed: 0
		});

		const challenge = aChallenge({ expiresAt: new Date('2026-03-08T07:30:00.123Z') });
		const [{ challenges, signIns }] = instances as [(typeof instances)[0]];
		await challenges.issue(challenge, at(0));
		const counted = { ...challenge, attemptsUsed: 1 };
		expect(await challenges.countAttempt(anAttempt(), at(1), policy)).toEqual(counted);

		for (const database of databases) await database.close();
		const fault = { name: 'StoreUnavailable', reason: 'CONNECTION_ENDED' };
		await expect(challenges.countAttempt(anAttempt(), at(1), policy)).rejects.toMatchObject(fault);
		await expect(signIns.redeem(aRedemption(aChallenge()))).rejects.toMatchObject(fault);
		await dropDatabase(server, url);
	});
});
