import { eq, sql } from 'drizzle-orm';
import { shareOf, ticketsOf } from '#lib/domain/limits/budget.ts';
import {
	codesUsed,
	emailsOf,
	emailsOfNetwork,
	ticketsUsed
} from '#lib/domain/limits/count-keys.ts';
import {
	fullMailbox,
	judgeSend,
	overBudget,
	type SendState
} from '#lib/domain/limits/judge-send.ts';
import { placeSend } from '#lib/domain/limits/send-window.ts';
import type { Hit, Send } from '#lib/domain/limits/throttle.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import { preparedStep, RollBack, type Sql, type Transaction, type Work } from '../sql.ts';
import { addCount, sumsOf } from './counts.ts';
import type { PartedCount } from './parted-count.ts';
import { overlappingTickets, recordProof } from './spent-proofs.ts';
import { lockSends, sendsKey, writeSends } from './throttle-row.ts';

const failuresOf = preparedStep((tx, { authThrottle: t }) =>
	tx
		.select({ failures: t.failures })
		.from(t)
		.where(eq(t.key, sql.placeholder('key')))
);

const sums = sumsOf(3);

/**
 * The statements that count a send. Every transaction takes its locks in this order, so none waits
 * for another in a circle: mailbox, network, proof, tickets, emails.
 */
export const countSend = (database: Sql, emails: PartedCount) => {
	const { tables } = database;

	/** Locks the network and counts the email for it. */
	function* read(
		tx: Transaction,
		send: Send,
		places: SendState['places'],
		{ budget }: AuthPolicy
	): Work<SendState> {
		const isCounted = budget.limit !== 'off';
		const { now, knownAs, network, proof } = send;
		const isUnknown = knownAs === null;
		const overlapping = yield* overlappingTickets(database, tx, proof, network);
		const ofNetwork =
			isCounted && isUnknown
				? (yield* addCount(tx, tables, emailsOfNetwork(network, now), 1)) - 1
				: 0;
		const { key, since } = emailsOf(now);
		const keys = { key0: key, key1: codesUsed(now).key, key2: ticketsUsed(now).key, since };
		const counts = new Map<string, number>();
		if (isUnknown || typeof budget.limit === 'number') {
			for (const sum of yield* sums(tx, tables, keys)) counts.set(sum.key, sum.count);
		}
		return {
			places,
			emails: isCounted ? (counts.get(keys.key0) ?? 0) : 0,
			usedCodes: counts.get(keys.key1) ?? 0,
			network: ofNetwork,
			tickets: counts.get(keys.key2) ?? 0,
			overlapping
		};
	}

	/** Counts the email for the site. A known device first uses what unknown clients left. */
	function* countEmail(
		tx: Transaction,
		{ now, knownAs }: Send,
		{ budget }: AuthPolicy,
		used: number
	): Work<boolean> {
		if (typeof budget.limit !== 'number') return yield* emails.add(tx, emailsOf(now), null);
		const share = shareOf(budget);
		if (knownAs === null || used < share) {
			if (yield* emails.add(tx, emailsOf(now), { share, rest: 0 })) return true;
		}
		if (knownAs === null) return false;
		return yield* emails.add(tx, emailsOf(now), { share, rest: budget.limit - share });
	}

	return function* (tx: Transaction, send: Send, policy: AuthPolicy): Work<Hit | RollBack<Hit>> {
		const { email, now, knownAs, network } = send;
		const isCounted = policy.budget.limit !== 'off';
		const row = yield* lockSends(tx, tables, sendsKey(email, knownAs));
		const full = fullMailbox(send, row.places, policy);
		if (full !== null) return new RollBack<Hit>(full);
		const state = yield* read(tx, send, row.places, policy);
		/** The answer when a concurrent send was first. */
		const without = (changed: Partial<SendState>, proof = send.proof): RollBack<Hit> =>
			refusal(judgeSend({ ...send, proof }, { ...state, ...changed }, policy), now);

		const verdict = judgeSend(send, state, policy);
		if (verdict.kind !== 'allowed') return new RollBack<Hit>(verdict);
		const { spends } = verdict;
		if (spends !== null && !(yield* recordProof(database, tx, spends, network, now))) {
			return without({}, null);
		}
		if (spends?.kind === 'ticket') {
			const tickets = yield* addCount(tx, tables, ticketsUsed(now), 1);
			if (tickets > ticketsOf(policy.budget)) return without({ tickets });
		}
		if (isCounted && !(yield* countEmail(tx, send, policy, state.emails))) {
			return new RollBack<Hit>(overBudget(now));
		}
		const key = sendsKey(email, knownAs);
		const place = { at: now, network: knownAs === null ? network : null };
		const { window, sends } = policy.throttle;
		yield* writeSends(tx, tables, key, placeSend(row.places, place, window, sends));
		// The failures are those of the email address, which may have another row.
		if (email === (key as string)) return { kind: 'allowed', failures: row.failures };
		const [own] = yield* failuresOf(tx, tables, { key: email });
		return { kind: 'allowed', failures: own?.failures ?? 0 };
	};
};

/** The refusal that the counts now give. They cannot allow what a concurrent send has taken. */
const refusal = (verdict: ReturnType<typeof judgeSend>, now: Date): RollBack<Hit> =>
	new RollBack<Hit>(verdict.kind === 'allowed' ? overBudget(now) : verdict);
