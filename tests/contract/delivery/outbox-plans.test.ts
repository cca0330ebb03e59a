import type { Database } from 'better-sqlite3';
import type { Sql as Client } from 'postgres';
import { describe, expect, inject, it } from 'vitest';
import { addMails, dueInTurn } from '#lib/adapters/sql/delivery/outbox-rows.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { present } from '../../support/http/fixtures.ts';
import { at, rounds } from '../stores/examples.ts';
import { anOutboxRow } from './outbox-examples.ts';

/** Emails of one queue that were given up. They stay for seven days. */
const GIVEN_UP = rounds(2_000, 100_000);
/** How many rows one insert can have on both engines. */
const BATCH = 2_000;

interface Query {
	readonly sql: string;
	readonly params: unknown[];
}

/** The statements that find a turn, and the rows that are due. */
const statements = ({ db, tables }: Sql): Readonly<Record<string, Query>> => {
	const insert = addMails(Object.assign(db, { tables }) as never, [anOutboxRow()]).next()
		.value as never;
	const built = (statement: { toSQL(): Query }): Query => statement.toSQL();
	return {
		insert: built(insert),
		first: built(dueInTurn({ db, tables }, 'first', 'conditional', at(9), 5)),
		later: built(dueInTurn({ db, tables }, 'later', 'conditional', at(9), 5))
	};
};

const withGivenUp = async (
	open: () => Promise<SqlBacking>,
	look: (database: Sql) => Promise<void>
): Promise<void> => {
	const backing = await open();
	try {
		const database = present(backing.databases[0]);
		const { db, tables } = database;
		const row = () => ({
			...anOutboxRow(),
			turn: 0,
			attempts: 9,
			failedAt: at(1),
			failure: 'attempts_over' as const,
			dueAt: null
		});
		for (let rows = 0; rows < GIVEN_UP; rows += BATCH) {
			await db.insert(tables.emailOutbox).values(Array.from({ length: BATCH }, row));
		}
		const waiting = { ...anOutboxRow(), dueAt: at(0), turn: 1 };
		const again = { ...anOutboxRow(), dueAt: at(0), turn: 1, attempts: 3 };
		await db.insert(tables.emailOutbox).values([waiting, again]);
		await look(database);
	} finally {
		await backing.close();
	}
};

describe(`${GIVEN_UP} emails that were given up are not read to find the next turn or email`, () => {
	it('on SQLite', async () => {
		await withGivenUp(sqliteBacking, async (database) => {
			const client = Reflect.get(database.db, '$client') as Database;
			const plan = ({ sql, params }: Query): string[] =>
				client
					.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
					.all(...params)
					.map(({ detail }) => detail)
					.filter((detail) => detail.includes('email_outbox'));
			const search = (index: string) => `SEARCH email_outbox USING ${index}`;
			const { insert, first, later } = statements(database) as Record<string, Query>;
			expect([insert, first, later].map((query) => query && plan(query))).toEqual([
				[
					search('COVERING INDEX email_outbox_turn_index (lane=?)'),
					search('INDEX email_outbox_fairness_index (lane=? AND fairness_key=?)')
				],
				[search('INDEX email_outbox_turn_index (lane=?)')],
				[search('INDEX email_outbox_due_index (lane=? AND due_at<?)')]
			]);
		});
	});

	it('on PostgreSQL', async () => {
		await withGivenUp(
			() => postgresBacking(inject('postgresUrl')),
			async (database) => {
				const client = Reflect.get(database.db, '$client') as Client;
				await client.unsafe('analyze email_outbox');
				for (const [name, { sql, params }] of Object.entries(statements(database))) {
					const [row] = await client.unsafe(
						`explain (analyze, format json) ${sql}`,
						params as never[]
					);
					const [{ Plan: plan }] = row?.['QUERY PLAN'] as [{ Plan: PlanNode }];
					expect([name, rowsRead(plan)]).toEqual([name, expect.toSatisfy((read) => read < 20)]);
				}
			}
		);
	});
});

interface PlanNode {
	readonly 'Actual Rows': number;
	readonly 'Actual Loops': number;
	readonly 'Rows Removed by Filter'?: number;
	readonly Plans?: readonly PlanNode[];
}

/** The rows that all parts of a plan have read. */
const rowsRead = (node: PlanNode): number => {
	const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
	return (node.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), own * node['Actual Loops']);
};
