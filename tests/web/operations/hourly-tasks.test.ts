import { describe, expect, it } from 'vitest';
import { fixedClock } from '#lib/adapters/memory/fixed-clock.ts';
import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { compareDeliveries, type HourlyApp } from '#lib/adapters/tasks/hourly.ts';
import { start } from '../../support/domain/builders.ts';
import { google } from '../../support/domain/figures.ts';

const low = { host: google, sent: 30, entered: 2, usual: 80 };

/** Two instances on one database. */
const twoInstances = (changes: Partial<HourlyApp> = {}) => {
	const clock = fixedClock(start);
	const { taskRuns } = memoryStores();
	const logged: object[] = [];
	const instance: HourlyApp = {
		clock,
		taskRuns,
		log: {
			event: (name, fields) => void logged.push({ name, ...fields }),
			fault: (where, fault) => void logged.push({ where, fault })
		},
		lowCompletions: async () => [low],
		...changes
	};
	return { clock, logged, instances: [instance, { ...instance }] };
};

describe('the comparison of an hour', () => {
	it('logs one line for a host, over all instances, and again in the next hour', async () => {
		const { clock, logged, instances } = twoInstances();
		for (const instance of instances) await compareDeliveries(instance);
		expect(logged).toEqual([{ name: 'mail_completion_low', ...low }]);
		clock.advance(3_599);
		await Promise.all(instances.map(compareDeliveries));
		expect(logged).toHaveLength(1);
		clock.advance(1);
		await Promise.all(instances.map(compareDeliveries));
		expect(logged).toHaveLength(2);
	});

	it('logs nothing when every host is as usual', async () => {
		const { logged, instances } = twoInstances({ lowCompletions: async () => [] });
		for (const instance of instances) await compareDeliveries(instance);
		expect(logged).toEqual([]);
	});

	it('a failure is logged and does not end the process', async () => {
		const fault = new Error('the store is down');
		const { logged, instances } = twoInstances({ lowCompletions: () => Promise.reject(fault) });
		for (const instance of instances) await compareDeliveries(instance);
		expect(logged).toEqual([{ where: 'task mail:completion', fault }]);
	});
});
