import { v7 } from 'uuid';
import { eventContext } from '#lib/adapters/sql/events/async-context.ts';
import { type AccountEvent, type EventKind, type Events } from '#lib/domain/events/ports.ts';
import type { EventId, UserId } from '#lib/domain/ids.ts';
import { copy, firstOf, removeSome, type MemoryTables } from './tables.ts';

/** Stores the event of a fact. */
export const recordEvent = (
	{ events }: MemoryTables,
	kind: EventKind,
	userId: UserId,
	particulars: Partial<Pick<AccountEvent, 'count' | 'detail'>> = {}
): void => {
	const id = v7() as EventId;
	const event = { id, userId, kind, count: 1, detail: null, ...particulars, ...eventContext(id) };
	events.set(id, copy(event));
};

export const recordEnded = (tables: MemoryTables, userId: UserId, count: number): void => {
	if (count > 0) recordEvent(tables, 'session_ended', userId, { count });
};

/** The events of a purged account stay, and name no person. */
export const blankEvents = ({ events }: MemoryTables, userId: UserId): void => {
	const noClient = { ipAddress: null, userAgent: null };
	for (const row of events.values()) {
		const { id, actor } = row;
		if (row.userId === userId) {
			events.set(id, { ...row, ...noClient, userId: null, requestId: null, detail: null });
		} else if (actor.kind === 'operator' && actor.id === userId) {
			events.set(id, { ...row, ...noClient, actor: { ...actor, id: null } });
		}
	}
};

export const memoryEvents = (tables: MemoryTables): Events => {
	const { events, users } = tables;
	return {
		record: async (userId, kind) => {
			if (users.has(userId)) recordEvent(tables, kind, userId);
		},

		addCounts: async (counts) => {
			for (const { kind, email, hour, count } of counts) {
				const user = firstOf(users, (row) => row.email === email);
				if (user === undefined) continue;
				const isSame = (row: { userId: UserId | null; kind: EventKind; at: Date }): boolean =>
					row.userId === user.id && row.kind === kind && row.at.getTime() === hour.getTime();
				const earlier = firstOf(events, isSame);
				const id = earlier?.id ?? (v7() as EventId);
				const nobody = { requestId: null, ipAddress: null, userAgent: null, detail: null };
				events.set(id, {
					...{ id, userId: user.id, kind, actor: { kind: 'system' }, at: copy(hour), ...nobody },
					count: count + (earlier?.count ?? 0)
				});
			}
		},

		pageOf: async (userId, after, limit) => {
			const all = [...events.values()]
				.filter((row) => row.userId === userId)
				.sort((one, other) => (isBefore(one, other) ? 1 : -1))
				.map(({ userId: _, ...event }) => copy(event));
			const place = all.findIndex(({ id }) => id === after);
			return after !== null && place < 0 ? [] : all.slice(place + 1, place + 1 + limit);
		},

		prune: async (before, limit) => removeSome(events, ({ at }) => at < before, limit)
	};
};

type Place = Pick<AccountEvent, 'at' | 'id'>;

const isBefore = (one: Place, other: Place): boolean =>
	one.at < other.at || (one.at.getTime() === other.at.getTime() && one.id < other.id);
