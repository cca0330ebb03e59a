import { mailboxOf } from '#lib/domain/limits/mailbox.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { Throttle } from '#lib/domain/limits/throttle.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { copy, removeSome, type MemoryTables, type ThrottleRow } from '../tables.ts';

const SENDS = defaultPolicy.throttle.sends;

export const memoryThrottle = ({ throttle }: MemoryTables): Throttle => {
	const rowOf = (key: string): ThrottleRow =>
		throttle.get(key) ?? { key, sentAt: [], failures: 0, failedAt: null };

	return {
		hit: async (email, now, window, knownAs = null) => {
			const key = knownAs ?? mailboxOf(email);
			const row = rowOf(key);
			const since = secondsAfter(now, -window);
			const until = secondsAfter(now, window);
			const counts = (at: Date): boolean => at > since && at <= until;

			if (row.sentAt.length === SENDS && row.sentAt.every(counts)) {
				const oldest = new Date(Math.min(...row.sentAt.map((at) => at.getTime())));
				const freeAt = secondsAfter(oldest, window);
				return { allowed: false, retryAt: freeAt < until ? freeAt : until };
			}
			// When all places are in use, the oldest send that does not count is replaced.
			const free = row.sentAt.length === SENDS ? row.sentAt.findLastIndex((at) => !counts(at)) : -1;
			const kept = row.sentAt.filter((_, place) => place !== free);
			throttle.set(key, copy({ ...row, sentAt: [now, ...kept] }));
			return { allowed: true, failures: rowOf(email).failures };
		},

		giveBack: async (email, at, knownAs = null) => {
			const key = knownAs ?? mailboxOf(email);
			const row = throttle.get(key);
			const place = row?.sentAt.findIndex((sent) => sent.getTime() === at.getTime()) ?? -1;
			if (row === undefined || place === -1) return;
			throttle.set(key, { ...row, sentAt: row.sentAt.filter((_, other) => other !== place) });
		},

		countFailure: async (email, now) => {
			const row = rowOf(email);
			throttle.set(email, copy({ ...row, failures: row.failures + 1, failedAt: now }));
		},

		prune: async (now, window, memory, limit) => {
			const lastSend = secondsAfter(now, -window);
			const lastFailure = secondsAfter(now, -memory);
			const isExpired = ({ sentAt, failures, failedAt }: ThrottleRow): boolean =>
				sentAt.every((at) => at <= lastSend) &&
				(failures === 0 || failedAt === null || failedAt <= lastFailure);
			return removeSome(throttle, isExpired, limit);
		}
	};
};
