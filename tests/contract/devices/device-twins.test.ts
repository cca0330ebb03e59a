import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { CAN_GO_WRONG, policy } from '../stores/examples.ts';
import type { Instances } from '../stores/races.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { naiveDeviceSessions, naiveDeviceSignIns } from '../../support/twins/devices.ts';
import { unhurried } from '../../support/twins/unhurried.ts';
import { naiveThrottle } from '../../support/twins/throttle.ts';
import {
	raceAccountsOnDevice,
	raceDevicesOfAccount,
	raceEndBesideRefresh,
	raceKnownSends,
	raceSignInsOnDevice
} from './device-races.ts';

// Q09, as in naive-twins.test.ts: the usual ways to write these stores break the contract in
// the same races.

const { perAccount, accounts } = policy.devices;

const twinsOn = (engine: string, open: () => Promise<SqlBacking>): void => {
	describe(`Q09 naive twins of known devices on ${engine}`, CAN_GO_WRONG, () => {
		let backing: SqlBacking;
		beforeAll(async () => {
			backing = await open();
		});
		beforeEach(() => backing.clear());
		afterAll(() => backing.close());

		const twins = (twin: (sql: Sql) => Partial<Instances[number]>): Instances =>
			backing.databases.map((sql) => ({ ...sqlStores(sql), ...twin(sql) }));
		const signIns = () =>
			twins((sql) => ({
				signIns: naiveDeviceSignIns(sql, unhurried(sql)),
				sessions: naiveDeviceSessions(sql)
			}));

		it('counting the devices of an account before adding one leaves more than 20', async () => {
			const race = { signIns: 30, refreshes: 15 };
			expect((await raceDevicesOfAccount(signIns(), race)).known).toBeGreaterThan(perAccount);
		});

		it('counting the accounts of a device before adding one leaves more than five', async () => {
			const { known } = await raceAccountsOnDevice(signIns(), 12);
			expect(known).toBeGreaterThan(accounts);
		});

		// On SQLite the sign-ins of one process commit one after the other, too far apart for this twin.
		if (engine === 'postgres') {
			it('reading the rows of a device before moving them loses an account', async () => {
				const { newKeyFails, failed } = await raceSignInsOnDevice(signIns(), 10);
				expect(newKeyFails + failed).toBeGreaterThan(0);
			});
		}

		it('reading which device a session has leaves the one that its refresh adds', async () => {
			const naive = twins((sql) => ({ sessions: naiveDeviceSessions(sql) }));
			expect((await raceEndBesideRefresh(naive, 12)).left).toBeGreaterThan(0);
		});

		it('B01: counting before writing allows more than five of 100 sends of known devices', async () => {
			const naive = twins((sql) => ({ throttle: naiveThrottle(sql) }));
			expect(await raceKnownSends(naive, 100)).toBeGreaterThan(5);
		});
	});
};

twinsOn('sqlite', sqliteBacking);
twinsOn('postgres', () => postgresBacking(inject('postgresUrl')));
