import { addedUp, admitHosts } from '#lib/domain/delivery/receipts/admit-hosts.ts';
import type { DeliveryFigures, HourCount } from '#lib/domain/delivery/receipts/delivery-figures.ts';
import { grouped } from '#lib/domain/delivery/receipts/grouped.ts';
import { copy, removeSome, type MemoryTables } from '../tables.ts';

/** No method awaits between reading and writing, so every method is atomic. */
export const memoryDeliveryFigures = ({ deliveryFigures: rows }: MemoryTables): DeliveryFigures => {
	const between = (from: Date, until: Date): readonly HourCount[] =>
		[...rows].flatMap(([, row]) => (row.since >= from && row.since < until ? [copy(row)] : []));

	return {
		add: async (counts, mostHosts) => {
			for (const [time, hour] of grouped(counts, ({ since }) => since.getTime())) {
				const since = new Date(time);
				const stored = [...rows.values()].filter((row) => row.since.getTime() === time);
				const known = new Set(stored.map(({ host }) => host));
				for (const one of admitHosts(hour, known, mostHosts)) {
					const key = `${time} ${one.host} ${one.fact}`;
					const count = one.count + (rows.get(key)?.count ?? 0);
					rows.set(key, { since, host: one.host, fact: one.fact, count });
				}
			}
		},
		sums: async (from, until) =>
			addedUp(between(from, until).map(({ host, fact, count }) => ({ host, fact, count }))),
		hours: async (from, until) => between(from, until),
		prune: async (before, limit) => removeSome(rows, ({ since }) => since < before, limit)
	};
};
