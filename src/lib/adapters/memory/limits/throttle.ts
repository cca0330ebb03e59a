import { mailboxOf } from '#lib/domain/limits/mailbox.ts';
import {
	codesUsed,
	emailsOf,
	emailsOfNetwork,
	ticketsUsed
} from '#lib/domain/limits/count-keys.ts';
import { judgeSend } from '#lib/domain/limits/judge-send.ts';
import { placeSend, withoutSend } from '#lib/domain/limits/send-window.ts';
import type { Throttle } from '#lib/domain/limits/throttle.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { copy, removeSome, type MemoryTables, type ThrottleRow } from '../tables.ts';
import { addCount, countOf } from './counts.ts';
import { overlappingTickets, recordProof } from './spent-proofs.ts';

export const memoryThrottle = (tables: MemoryTables): Throttle => {
	const { throttle } = tables;
	const rowOf = (key: string): ThrottleRow =>
		throttle.get(key) ?? { key, places: [], failures: 0, failedAt: null };

	return {
		hit: async (send, policy) => {
			const { email, now, knownAs, network, proof } = send;
			const isCounted = policy.budget.limit !== 'off';
			const row = rowOf(knownAs ?? mailboxOf(email));
			const state = {
				places: row.places,
				emails: isCounted ? countOf(tables, emailsOf(now)) : 0,
				usedCodes: countOf(tables, codesUsed(now)),
				network: isCounted ? countOf(tables, emailsOfNetwork(network, now)) : 0,
				tickets: countOf(tables, ticketsUsed(now)),
				overlapping: overlappingTickets(tables, proof, network)
			};
			let verdict = judgeSend(send, state, policy);
			if (
				verdict.kind === 'allowed' &&
				verdict.spends !== null &&
				!recordProof(tables, verdict.spends, network, now)
			) {
				verdict = judgeSend({ ...send, proof: null }, state, policy);
			}
			if (verdict.kind !== 'allowed') return verdict;
			if (verdict.spends?.kind === 'ticket') addCount(tables, ticketsUsed(now), 1);
			const place = { at: now, network: knownAs === null ? network : null };
			const { window, sends } = policy.throttle;
			throttle.set(row.key, copy({ ...row, places: placeSend(row.places, place, window, sends) }));
			if (isCounted) addCount(tables, emailsOf(now), 1);
			if (isCounted && knownAs === null) addCount(tables, emailsOfNetwork(network, now), 1);
			return { kind: 'allowed', failures: rowOf(email).failures };
		},

		giveBack: async ({ email, at, knownAs, network }) => {
			const row = rowOf(knownAs ?? mailboxOf(email));
			const places = withoutSend(row.places, at);
			if (places === null) return;
			throttle.set(row.key, { ...row, places });
			addCount(tables, emailsOf(at), -1);
			if (knownAs === null) addCount(tables, emailsOfNetwork(network, at), -1);
		},

		countFailure: async (email, now) => {
			const row = rowOf(email);
			throttle.set(email, copy({ ...row, failures: row.failures + 1, failedAt: now }));
		},

		prune: async (now, window, memory, limit) => {
			const lastSend = secondsAfter(now, -window);
			const lastFailure = secondsAfter(now, -memory);
			const isExpired = ({ places, failures, failedAt }: ThrottleRow): boolean =>
				places.every(({ at }) => at <= lastSend) &&
				(failures === 0 || failedAt === null || failedAt <= lastFailure);
			return removeSome(throttle, isExpired, limit);
		}
	};
};
