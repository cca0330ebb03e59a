import type { CountKey } from '#lib/domain/limits/budget.ts';
import type { MemoryTables } from '../tables.ts';

const textOf = ({ key, since }: CountKey): string => `${key} ${since.getTime()}`;

export const countOf = ({ siteCounts }: MemoryTables, key: CountKey): number =>
	siteCounts.get(textOf(key))?.count ?? 0;

/** Never below zero. */
export const addCount = (tables: MemoryTables, key: CountKey, added: number): void => {
	const count = Math.max(0, countOf(tables, key) + added);
	tables.siteCounts.set(textOf(key), { ...key, count });
};
