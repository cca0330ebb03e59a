import { inArray } from 'drizzle-orm';
import { v7 } from 'uuid';
import type { AccountEvent, EventKind } from '#lib/domain/events/ports.ts';
import type { EventId, UserId } from '#lib/domain/ids.ts';
import { placeholders } from '../rows.ts';
import { preparedStep, type Tables, type Transaction, type Work } from '../sql.ts';
import { eventContext } from './context.ts';

type Row = Tables['event']['$inferSelect'];

interface Particulars {
	readonly count?: number;
	readonly detail?: string | null;
}

/** Stores the event of a fact in the transaction of the fact. */
export function* recordEvent(
	tx: Transaction,
	kind: EventKind,
	userId: UserId,
	{ count = 1, detail = null }: Particulars = {}
): Work<void> {
	const id = v7() as EventId;
	const { actor, ...context } = eventContext(id);
	const actorId = actor.kind === 'operator' ? actor.id : null;
	yield* insertEvent(tx, {
		...context,
		...{ id, userId, kind, actor: actor.kind, actorId, count, detail }
	});
}

const insertEvent = preparedStep((tx, { event }) =>
	tx
		.insert(event)
		.values(
			placeholders(
				...(['id', 'userId', 'kind', 'actor', 'actorId', 'at', 'requestId'] as const),
				...(['ipAddress', 'userAgent', 'count', 'detail'] as const)
			)
		)
		.returning({ id: event.id })
);

export const toEvent = ({ userId: _, actor, actorId, ...row }: Row): AccountEvent => ({
	...row,
	actor: actor === 'operator' ? { kind: actor, id: actorId } : { kind: actor }
});

/** The events stay, as numbers of the service, but name no person. */
export function* blankEvents(tx: Transaction, purged: readonly UserId[]): Work<void> {
	const { event } = tx.tables;
	const nobody = { requestId: null, ipAddress: null, userAgent: null, detail: null };
	yield tx
		.update(event)
		.set({ userId: null, ...nobody })
		.where(inArray(event.userId, [...purged]))
		.returning({ id: event.id });
	// What a purged operator did stays an operator's deed. Its client was the operator's.
	yield tx
		.update(event)
		.set({ actorId: null, ...{ ipAddress: null, userAgent: null } })
		.where(inArray(event.actorId, [...purged]))
		.returning({ id: event.id });
}
