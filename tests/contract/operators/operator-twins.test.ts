import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import type { Operators } from '#lib/domain/operators/ports.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { naiveOperators } from '../../support/twins/operators.ts';
import { unhurried } from '../../support/twins/unhurried.ts';
import { CAN_GO_WRONG } from '../stores/examples.ts';
import { raceBlockBesideSignIns, raceRoleBesideMove } from './operator-races.ts';

// Q09, as in naive-twins.test.ts: the usual ways to write these stores break the contract in
// the same races.

const twinsOn = (engine: string, open: () => Promise<SqlBacking>): void => {
	describe(`naive twins of operators on ${engine}`, CAN_GO_WRONG, () => {
		let backing: SqlBacking;
		beforeAll(async () => {
			backing = await open();
		});
		beforeEach(() => backing.clear());
		afterAll(() => backing.close());

		const twins = (twin: (sql: Sql) => Operators) =>
			backing.databases.map((sql) => ({ ...sqlStores(sql), operators: twin(unhurried(sql)) }));

		it('ending the sessions before marking the account leaves one behind', async () => {
			const race = await raceBlockBesideSignIns(twins(naiveOperators), 12);
			expect(race.sessionsLeft).toBeGreaterThan(0);
		});

		it('looking up an account before giving it the role gives it to one that moved', async () => {
			expect((await raceRoleBesideMove(twins(naiveOperators), 12)).astray).toBeGreaterThan(0);
		});
	});
};

twinsOn('sqlite', sqliteBacking);
twinsOn('postgres', () => postgresBacking(inject('postgresUrl')));
