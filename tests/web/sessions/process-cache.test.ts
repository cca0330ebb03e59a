import { describe, expect, test } from 'vitest';
import type { SeenSession } from '#lib/adapters/web/edge/session/cache-validity.ts';
import { processCache } from '#lib/adapters/web/edge/session/process-cache.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import { aSession, aUser } from '../../support/domain/builders.ts';

const token = (number: number): SessionToken => `token ${number}` as SessionToken;
const seenAt = (readAt: number): SeenSession => ({ readAt, user: aUser(), session: aSession() });

describe('the session cache of a process', () => {
	test('identifies a session by its whole token, and the newest read counts', () => {
		const memory = processCache();
		const [first, second] = [seenAt(1), seenAt(2)];
		memory.set(token(1), first);
		memory.set(token(1), second);
		memory.set(token(2), first);
		expect(memory.get(token(1))).toBe(second);
		expect(memory.get(token(2))).toBe(first);
		for (const other of ['token', 'token 11', 'TOKEN 1', '__proto__', '']) {
			expect(memory.get(other as SessionToken)).toBeNull();
		}
	});

	test('callers cannot change entries that others receive', () => {
		const memory = processCache();
		memory.set(token(1), seenAt(1));
		const { user, session } = memory.get(token(1)) ?? seenAt(1);
		expect(() => Object.assign(user, { name: 'Eve' })).toThrow(TypeError);
		expect(() => Object.assign(session, { userId: 'eve' })).toThrow(TypeError);
	});

	test('is bounded: the least recently used entry is evicted', () => {
		const memory = processCache(3);
		for (const number of [1, 2, 3]) memory.set(token(number), seenAt(1));
		expect(memory.get(token(1))).not.toBeNull();
		memory.set(token(4), seenAt(1));
		expect(memory.size).toBe(3);
		expect([1, 2, 3, 4].map((number) => memory.get(token(number)) !== null)).toEqual([
			true,
			false,
			true,
			true
		]);
	});
});
