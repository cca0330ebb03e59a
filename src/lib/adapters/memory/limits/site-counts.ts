import { codesUsed, emailsOf, lastMinute, wrongGuesses } from '#lib/domain/limits/count-keys.ts';
import type { SiteCounts } from '#lib/domain/limits/site-counts.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { removeSome, type MemoryTables } from '../tables.ts';
import { addCount, countOf } from './counts.ts';

const DAY = 24 * 3600;

export const memorySiteCounts = (tables: MemoryTables): SiteCounts => ({
	countEmail: async (now, { budget }) => {
		if (budget.limit !== 'off') addCount(tables, emailsOf(now), 1);
	},
	countGuesses: async ({ used, wrong }, now) => {
		if (used > 0) addCount(tables, codesUsed(now), used);
		if (wrong > 0) addCount(tables, wrongGuesses(now), wrong);
		return lastMinute(now).reduce((sum, key) => sum + countOf(tables, key), 0);
	},
	prune: async (now, limit) => {
		const latest = secondsAfter(now, -DAY);
		return removeSome(tables.siteCounts, ({ since }) => since <= latest, limit);
	}
});
