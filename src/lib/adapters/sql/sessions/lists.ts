import { and, count, desc, eq, gt, sql } from 'drizzle-orm';
import type { Sessions } from '#lib/domain/sessions/ports.ts';
import { asId, bound, sessionColumns } from '../rows.ts';
import type { Sql } from '../sql.ts';

/** The operations that list the live sessions of an account. */
export const sqlSessionLists = ({
	db,
	tables,
	run
}: Sql): Pick<Sessions, 'listOf' | 'rangeOf' | 'countOf' | 'newestOf'> => {
	const t = tables.session;
	const isLive = and(
		eq(t.userId, asId('userId', t.userId)),
		gt(t.expiresAt, bound('now', t.expiresAt))
	);
	const live = () => db.select(sessionColumns(tables)).from(t).where(isLive);
	const lastUsedFirst = [desc(t.updatedAt), desc(t.id)];

	const listOf = live()
		.orderBy(...lastUsedFirst)
		.prepare('session_list_of');

	const rangeOf = live()
		.orderBy(desc(sql`${t.id} = ${asId('first', t.id)}`), ...lastUsedFirst)
		.limit(sql.placeholder('limit'))
		.offset(sql.placeholder('skip'))
		.prepare('session_range_of');

	const countOf = db.select({ count: count() }).from(t).where(isLive).prepare('session_count_of');

	const newestOf = live()
		.orderBy(desc(t.createdAt), desc(t.id))
		.limit(sql.placeholder('limit'))
		.prepare('session_newest_of');

	return {
		listOf: (userId, now) => run(() => listOf.execute({ userId, now })),

		rangeOf: (userId, now, range) => run(() => rangeOf.execute({ userId, now, ...range })),

		countOf: async (userId, now) => {
			const [row] = await run(() => countOf.execute({ userId, now }));
			return row?.count ?? 0;
		},

		newestOf: (userId, now, limit) => run(() => newestOf.execute({ userId, now, limit }))
	};
};
