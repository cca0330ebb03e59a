import { v7 } from 'uuid';
import { eventContext } from '#lib/adapters/sql/events/record-event.ts';
import type { AccountEvent, EventKind, Events } from '#lib/domain/events/ports.ts';
import type { EventId, UserId } from '#lib/domain/ids.ts';
import {
	change,
	copy,
	firstOf,
	latestFirst,
	removeSome,
	rowsOf,
	type MemoryTables
} from './tables.ts';

export const recordEvent = (
	{ events }: MemoryTables,
	kind: EventKind,
	userId: UserId,
	particulars: Partial<Pick<AccountEvent, 'count' | 'detail'>> = {}
): void => {
	const id = v7() as EventId;
	const event = { id, userId, kind, count: 1, detail: null, ...particulars, ...eventContext() };
	events.set(id, copy(event));
};

export const recordEnded = (tables: MemoryTables, userId: UserId, count: number): void => {
	if (count > 0) recordEvent(tables, 'session_ended', userId, { count });
};

export const blankEvents = ({ events }: MemoryTables, userId: UserId): void => {
	const noClient = { ipAddress: null, userAgent: null };
	const blank = { ...noClient, userId: null, requestId: null, detail: null };
	const isBy = ({ actor }: AccountEvent): boolean =>
		actor.kind === 'operator' && actor.id === userId;
	change(events, isBy, { ...noClient, actor: { kind: 'operator', id: null } });
	change(events, (row) => row.userId === userId, blank);
};

export const memoryEvents = (tables: MemoryTables): Events => {
	const { events, users } = tables;
	return {
		record: async (userId, kind) => {
			if (users.has(userId)) recordEvent(tables, kind, userId);
		},

		addCodeCounts: async (counts) => {
			for (const { kind, email, hour, count } of counts) {
				const user = firstOf(users, (row) => row.email === email);
				if (user === undefined) continue;
				const earlier = firstOf(
					events,
					(row) => row.userId === user.id && row.kind === kind && +row.at === +hour
				);
				const id = earlier?.id ?? (v7() as EventId);
				const nobody = { requestId: null, ipAddress: null, userAgent: null, detail: null };
				events.set(id, {
					id,
					userId: user.id,
					kind,
					actor: { kind: 'system' },
					at: copy(hour),
					...nobody,
					count: count + (earlier?.count ?? 0)
				});
			}
		},

		pageOf: async (userId, after, limit) => {
			const all = rowsOf(events, (row) => row.userId === userId)
				.sort(latestFirst(({ at }) => at))
				.map(({ userId: _, ...event }) => copy(event));
			const place = all.findIndex(({ id }) => id === after);
			return after !== null && place < 0 ? [] : all.slice(place + 1, place + 1 + limit);
		},

		prune: async (before, limit) => removeSome(events, ({ at }) => at < before, limit)
	};
};
