import { AsyncLocalStorage } from 'node:async_hooks';
import { getTableColumns, inArray } from 'drizzle-orm';
import { v7 } from 'uuid';
import type { AccountEvent, EventContext, EventKind } from '#lib/domain/events/ports.ts';
import type { EventId, UserId } from '#lib/domain/ids.ts';
import type { Clock } from '#lib/domain/time.ts';
import { placeholdersFor } from '../rows.ts';
import { preparedStep, type Tables, type Transaction, type Work } from '../sql.ts';

const contexts = new AsyncLocalStorage<() => EventContext>();

/** The context is not an argument, so ports need not mention events. */
export const inEventContext = <T>(context: () => EventContext, work: () => T): T =>
	contexts.run(context, work);

/** Runs work that neither a person nor an operator does, such as a daily task. */
export const asSystem = <T>(clock: Clock, work: () => T): T => {
	const noClient = { requestId: null, ipAddress: null, userAgent: null };
	return inEventContext(() => ({ actor: { kind: 'system' }, at: clock.now(), ...noClient }), work);
};

/** Throws without a context: an event must not name a wrong actor. */
export const eventContext = (): EventContext => {
	const context = contexts.getStore();
	if (context === undefined) throw new Error('no event context');
	return context();
};

type Row = Tables['event']['$inferSelect'];

export function* recordEvent(
	tx: Transaction,
	kind: EventKind,
	userId: UserId,
	{ count = 1, detail = null }: Partial<Pick<Row, 'count' | 'detail'>> = {}
): Work<void> {
	const { actor, ...context } = eventContext();
	const by = { actor: actor.kind, actorId: actor.kind === 'operator' ? actor.id : null };
	yield* insertEvent(tx, { id: v7() as EventId, userId, kind, ...by, ...context, count, detail });
}

const insertEvent = preparedStep((tx, { event }) =>
	tx.insert(event).values(placeholdersFor(getTableColumns(event)))
);

export const toEvent = ({ userId: _, actor, actorId, ...row }: Row): AccountEvent => ({
	...row,
	actor: actor === 'operator' ? { kind: actor, id: actorId } : { kind: actor }
});

/** The events stay for statistics, but no longer identify the purged accounts. */
export function* blankEvents(tx: Transaction, purged: readonly UserId[]): Work<void> {
	const { event } = tx.tables;
	const noClient = { ipAddress: null, userAgent: null };
	yield tx
		.update(event)
		.set({ userId: null, requestId: null, detail: null, ...noClient })
		.where(inArray(event.userId, [...purged]));
	// Events that a purged operator caused lose the operator's id and client.
	yield tx
		.update(event)
		.set({ actorId: null, ...noClient })
		.where(inArray(event.actorId, [...purged]));
}
