import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { naiveAccounts } from '../../support/twins/accounts.ts';
import { naiveConsents } from '../../support/twins/consents.ts';
import { naivePurchases, unheldPurchases } from '../../support/twins/purchases.ts';
import { naiveOutboxRows } from '../../support/twins/outbox-rows.ts';
import { naiveTaskRuns } from '../../support/twins/task-runs.ts';
import { unhurried } from '../../support/twins/unhurried.ts';
import { signIn } from './account-examples.ts';
import {
	raceClaims,
	raceConfirmations,
	raceConsents,
	raceDecisions,
	raceDeleteBesideSignIns,
	raceDeletions,
	racePurgeBesideRestore,
	raceRecordBesideCreation,
	raceTaskRuns,
	type AccountInstances
} from './account-races.ts';
import { raceLeases } from '../delivery/outbox-examples.ts';
import { CAN_GO_WRONG } from '../stores/examples.ts';

// Q09, as in naive-twins.test.ts: the usual ways to write these stores break the contract in
// the same races.

const twinsOn = (engine: string, open: () => Promise<SqlBacking>): void => {
	describe(`Q09 naive twins of accounts on ${engine}`, CAN_GO_WRONG, () => {
		let backing: SqlBacking;
		beforeAll(async () => {
			backing = await open();
		});
		beforeEach(() => backing.clear());
		afterAll(() => backing.close());

		const twins = (twin: (sql: Sql) => Partial<Stores>): AccountInstances =>
			backing.databases.map((sql) => ({ ...sqlStores(sql), ...twin(sql) }));
		const accounts = () => twins((sql) => ({ accounts: naiveAccounts(unhurried(sql)) }));

		it('A03: looking up a challenge before using it confirms with it more than once', async () => {
			expect((await raceConfirmations(accounts(), 50)).confirmed).toBeGreaterThan(1);
		});

		it('looking up an account before deleting it deletes it more than once', async () => {
			expect((await raceDeletions(accounts(), 50)).deleted).toBeGreaterThan(1);
		});

		it('E15: ending the sessions before locking the account leaves one behind', async () => {
			expect((await raceDeleteBesideSignIns(accounts(), 20)).sessionsLeft).toBeGreaterThan(0);
		});

		it('looking up an account before purging it purges a restored one', async () => {
			expect((await racePurgeBesideRestore(accounts(), 60)).bothWon).toBeGreaterThan(0);
		});

		it('looking up a consent before writing it records it more than once', async () => {
			const naive = twins((sql) => ({ consents: naiveConsents(unhurried(sql)) }));
			const { user } = await signIn(backing.stores);
			await backing.forgetData();
			expect((await raceConsents(naive, 50, user.id)).recorded).toBeGreaterThan(1);
		});

		it('looking up a consent before withdrawing it records the withdrawal more than once', async () => {
			const naive = twins((sql) => ({ consents: naiveConsents(unhurried(sql)) }));
			const { user } = await signIn(backing.stores);
			expect((await raceDecisions(naive, 40, user.id)).astray).toBeGreaterThan(0);
		});

		it('looking up a purchase before claiming it gives it to more than one account', async () => {
			const naive = twins((sql) => ({ purchases: naivePurchases(sql) }));
			expect((await raceClaims(naive, 20)).claimed).toBeGreaterThan(1);
		});

		it('looking up an account before recording a purchase leaves purchases behind', async () => {
			const naive = twins((sql) => ({ purchases: naivePurchases(unhurried(sql)) }));
			expect((await raceRecordBesideCreation(naive, 25)).unlinked).toBeGreaterThan(0);
		});

		// SQLite has one writer at a time, so this twin has no race there.
		if (engine === 'postgres') {
			it('recording in one transaction without a lock leaves purchases behind, too', async () => {
				const unheld = twins((sql) => ({ purchases: unheldPurchases(sql) }));
				expect((await raceRecordBesideCreation(unheld, 25)).unlinked).toBeGreaterThan(0);
			});
		}

		it('looking up due emails before leasing them leases one more than once', async () => {
			const naive = twins((sql) => ({ outboxRows: naiveOutboxRows(unhurried(sql)) }));
			const { rows, leases } = await raceLeases(naive, backing.stores, 20);
			expect(leases).toBeGreaterThan(rows);
		});

		it('looking up a claim before writing it runs a task more than once a day', async () => {
			const naive = twins((sql) => ({ taskRuns: naiveTaskRuns(sql) }));
			expect((await raceTaskRuns(naive, 50)).claimed).toBeGreaterThan(1);
		});
	});
};

twinsOn('sqlite', sqliteBacking);
twinsOn('postgres', () => postgresBacking(inject('postgresUrl')));
