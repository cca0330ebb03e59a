import { hourLimits, sendsOfHour, sendsOfNetwork } from '#lib/domain/limits/counts.ts';
import type { CountKey, Throttle } from '#lib/domain/limits/ports.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import type { SpentProofs } from '#lib/domain/proof/ports.ts';
import { DAY, secondsAfter } from '#lib/domain/time.ts';
import { copy, pruneExpired, removeSome, type MemoryTables, type ThrottleRow } from './tables.ts';

const textOf = ({ key, since }: CountKey): string => `${key} ${since.getTime()}`;

export const countOf = ({ siteCounts }: MemoryTables, key: CountKey): number =>
	siteCounts.get(textOf(key))?.count ?? 0;

/** Never below zero. */
export const addCount = (tables: MemoryTables, key: CountKey, added: number): void => {
	const count = Math.max(0, countOf(tables, key) + added);
	tables.siteCounts.set(textOf(key), { ...key, count });
};

const remembered = (
	{ wrongCodes, wrongCodeAt }: ThrottleRow,
	now: Date,
	{ wrongCodes: { memory } }: AuthPolicy
): number => (wrongCodeAt !== null && wrongCodeAt > secondsAfter(now, -memory) ? wrongCodes : 0);

export const memoryThrottle = (tables: MemoryTables): Throttle => {
	const { throttle, siteCounts } = tables;
	const rowOf = (key: string): ThrottleRow =>
		throttle.get(key) ?? { key, sentAt: [], wrongCodes: 0, wrongCodeAt: null };

	return {
		countSend: async ({ email, requestedAt: now, chargedKey, isKnown, network }, policy) => {
			const { window, sends } = policy.throttle;
			const row = rowOf(chargedKey);
			const until = secondsAfter(now, window);
			const last = row.sentAt[sends - 1];
			if (last !== undefined && last > secondsAfter(now, -window) && last <= until) {
				const free = secondsAfter(last, window);
				return { kind: 'full', retryAt: free < until ? free : until };
			}
			const limits = hourLimits(policy.budget);
			const [hour, ofNetwork] = [sendsOfHour(now), sendsOfNetwork(network, now)];
			if (limits !== null) {
				if (countOf(tables, ofNetwork) >= limits.network) return { kind: 'network_full' };
				const limit = isKnown ? limits.all : limits.unknown;
				if (countOf(tables, hour) >= limit) return { kind: 'over_budget' };
				addCount(tables, ofNetwork, 1);
				addCount(tables, hour, 1);
			}
			throttle.set(row.key, copy({ ...row, sentAt: [now, ...row.sentAt].slice(0, sends) }));
			const emails = limits === null ? 0 : countOf(tables, hour);
			return { kind: 'allowed', wrongCodes: remembered(rowOf(email), now, policy), emails };
		},

		giveBack: async ({ requestedAt: at, chargedKey, network }) => {
			const row = rowOf(chargedKey);
			const index = row.sentAt.findIndex((sent) => sent.getTime() === at.getTime());
			if (index === -1) return;
			throttle.set(row.key, { ...row, sentAt: row.sentAt.toSpliced(index, 1) });
			for (const key of [sendsOfHour(at), sendsOfNetwork(network, at)]) {
				if (countOf(tables, key) > 0) addCount(tables, key, -1);
			}
		},

		countWrongCode: async (email, now, policy) => {
			const row = rowOf(email);
			const wrongCodes = remembered(row, now, policy) + 1;
			throttle.set(email, copy({ ...row, wrongCodes, wrongCodeAt: now }));
		},

		prune: async (now, policy, limit) => {
			const lastSend = secondsAfter(now, -policy.throttle.window);
			const lastWrongCode = secondsAfter(now, -policy.wrongCodes.memory);
			const isExpired = ({ sentAt, wrongCodeAt }: ThrottleRow): boolean =>
				sentAt.every((at) => at <= lastSend) &&
				(wrongCodeAt === null || wrongCodeAt <= lastWrongCode);
			return removeSome(throttle, isExpired, limit);
		},

		pruneCounts: async (now, limit) => {
			const latest = secondsAfter(now, -DAY);
			return removeSome(siteCounts, ({ since }) => since <= latest, limit);
		}
	};
};

export const memorySpentProofs = ({ spentProofs }: MemoryTables): SpentProofs => ({
	spend: async ({ id, expiresAt }) => {
		if (spentProofs.has(id)) return false;
		spentProofs.set(id, copy({ expiresAt }));
		return true;
	},
	prune: pruneExpired(spentProofs)
});
