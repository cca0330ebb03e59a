import { describe, expect, test } from 'vitest';
import type { SeenSession } from '#lib/adapters/web/edge/session/cache-validity.ts';
import { processCache } from '#lib/adapters/web/edge/session/process-cache.ts';
import type { SessionId } from '#lib/domain/ids.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import { aSession, aUser } from '../../support/domain/builders.ts';

const start = new Date('2026-01-01T00:00:00.123Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);
const token = (number: number): SessionToken => `token ${number}` as SessionToken;
let ids = 0;
const newId = (): SessionId => `session ${(ids += 1)}` as SessionId;
const seenAt = (readAt: Date, expiresAt = after(86_400)): SeenSession => ({
	readAt,
	user: aUser(),
	session: aSession({ id: newId(), expiresAt })
});

describe('the session cache of a process', () => {
	test('E08 returns an entry for 300 seconds, and never one from the future', () => {
		const memory = processCache();
		const seen = seenAt(start);
		memory.set(token(1), seen);
		expect(memory.get(token(1), after(299.999))).toBe(seen);
		expect(memory.get(token(1), after(300))).toBeNull();
		expect(memory.get(token(1), after(-1))).toBeNull();
		// A clock that was wrong for a moment loses no entry.
		expect(memory.get(token(1), after(1))).toBe(seen);
	});

	test('E11 never outlives the session itself', () => {
		const memory = processCache();
		memory.set(token(1), seenAt(start, after(10)));
		expect(memory.get(token(1), after(9.999))).not.toBeNull();
		expect(memory.get(token(1), after(10))).toBeNull();
	});

	test('identifies a session by its whole token, and the newest read counts', () => {
		const memory = processCache();
		const [first, second] = [seenAt(start), seenAt(after(5))];
		memory.set(token(1), first);
		memory.set(token(1), second);
		memory.set(token(2), first);
		expect(memory.get(token(1), after(6))).toBe(second);
		expect(memory.get(token(2), after(6))).toBe(first);
		for (const other of ['token', 'token 11', 'TOKEN 1', '__proto__', '']) {
			expect(memory.get(other as SessionToken, after(6))).toBeNull();
		}
	});

	test('callers cannot change entries that others receive', () => {
		const memory = processCache();
		memory.set(token(1), seenAt(start));
		const { user, session } = memory.get(token(1), start) ?? seenAt(start);
		expect(() => Object.assign(user, { name: 'Eve' })).toThrow(TypeError);
		expect(() => Object.assign(session, { userId: 'eve' })).toThrow(TypeError);
	});

	test('E06 R11: an ended session is removed immediately, and its place is free', () => {
		const memory = processCache(2);
		const [first, second] = [seenAt(start), seenAt(start)];
		const ids = [newId(), newId()] as const;
		memory.set(token(1), { ...first, session: { ...first.session, id: ids[0] } });
		memory.set(token(2), { ...second, session: { ...second.session, id: ids[1] } });
		// Read once more, as after a refresh.
		memory.set(token(1), { ...first, session: { ...first.session, id: ids[0] } });
		memory.forget([ids[0], newId()]);
		expect(memory.get(token(1), start)).toBeNull();
		expect(memory.get(token(2), start)).not.toBeNull();
		memory.set(token(3), seenAt(start));
		expect(memory.get(token(2), start)).not.toBeNull();
		memory.forget(ids);
		expect(memory.get(token(2), start)).toBeNull();
		expect(memory.size).toBe(1);
	});

	test('is bounded: the least recently used entry is evicted', () => {
		const memory = processCache(3);
		for (const number of [1, 2, 3]) memory.set(token(number), seenAt(start));
		expect(memory.get(token(1), start)).not.toBeNull();
		memory.set(token(4), seenAt(start));
		expect(memory.size).toBe(3);
		expect([1, 2, 3, 4].map((number) => memory.get(token(number), start) !== null)).toEqual([
			true,
			false,
			true,
			true
		]);
	});
});
