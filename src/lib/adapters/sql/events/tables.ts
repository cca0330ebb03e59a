import { isNotNull, sql } from 'drizzle-orm';
import { COUNTED_KINDS, type Actor, type EventKind } from '#lib/domain/events/ports.ts';
import type { EventId, UserId } from '#lib/domain/ids.ts';
import type { Columns } from '../columns.ts';
import type { UserIdColumn } from '../account/tables.ts';

export const eventTables = (
	{ table, id, text, integer, instant, index, uniqueIndex }: Columns,
	userId: UserIdColumn
) => ({
	event: table(
		'event',
		{
			id: id('id').$type<EventId>().primaryKey(),
			/** Null once the account was purged. */
			userId: userId(),
			kind: text('kind').$type<EventKind>().notNull(),
			actor: text('actor').$type<Actor['kind']>().notNull(),
			/** The account of an operator. Null for the command line, and once it was purged. */
			actorId: id('actor_id').$type<UserId>(),
			at: instant('at').notNull(),
			requestId: text('request_id'),
			ipAddress: text('ip_address'),
			userAgent: text('user_agent'),
			count: integer('count').notNull().default(1),
			detail: text('detail')
		},
		(t) => [
			index('event_user_index').on(t.userId, t.at, t.id),
			index('event_at_index').on(t.at),
			index('event_actor_index').on(t.actorId).where(isNotNull(t.actorId)),
			uniqueIndex('event_hour_unique').on(t.userId, t.kind, t.at).where(isHourly(t))
		]
	)
});

/** Literals: an index can have no parameters. */
const hourlyKinds = sql.raw(COUNTED_KINDS.map((kind) => `'${kind}'`).join(', '));

export const isHourly = ({ kind }: { readonly kind: { getSQL(): unknown } }) =>
	sql`${kind} in (${hourlyKinds})`;
