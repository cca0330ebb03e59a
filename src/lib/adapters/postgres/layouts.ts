import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { ColumnLayout, TableLayout } from '#lib/adapters/sql/copy/copy-tables.ts';
import { tables } from './schema.ts';

/** Every table, each after the tables that it references. */
export const tableLayouts = (
	schema: readonly PgTable[] = Object.values(tables)
): readonly TableLayout[] => {
	const ordered = new Set<PgTable>();
	const place = (table: PgTable, above: readonly PgTable[]): void => {
		if (ordered.has(table) || above.includes(table)) return;
		for (const { reference } of getTableConfig(table).foreignKeys) {
			place(reference().foreignTable, [...above, table]);
		}
		ordered.add(table);
	};
	for (const table of schema) place(table, []);
	return [...ordered].map(layoutOf);
};

const TYPES: Readonly<Record<string, ColumnLayout['type']>> = {
	string: 'text',
	number: 'number',
	boolean: 'boolean',
	date: 'instant'
};

const layoutOf = (table: PgTable): TableLayout => {
	const { name, columns, primaryKeys } = getTableConfig(table);
	const [composite] = primaryKeys;
	return {
		name,
		columns: columns.map((column) => {
			const type = TYPES[column.dataType];
			if (type === undefined) {
				throw new Error(`${name}.${column.name}: the copy knows no ${column.dataType} columns yet`);
			}
			return { name: column.name, type };
		}),
		key: (composite?.columns ?? columns.filter(({ primary }) => primary)).map(
			(column) => column.name
		)
	};
};
