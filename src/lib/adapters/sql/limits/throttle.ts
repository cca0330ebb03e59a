import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { hourLimits, sendsOfHour, sendsOfNetwork } from '#lib/domain/limits/counts.ts';
import type { CountKey, SendVerdict, Send, Throttle } from '#lib/domain/limits/ports.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import { DAY, secondsAfter } from '#lib/domain/time.ts';
import { encodedPlaceholder, deleteSome } from '../rows.ts';
import {
	onlyRowOf,
	preparedStep,
	RollBack,
	type Sql,
	type Transaction,
	type Work
} from '../sql.ts';
import { SENT_AT } from './tables.ts';

export const sqlThrottle = (database: Sql): Throttle => {
	const { db, tables, run, transaction } = database;
	const { authThrottle: t, siteCount: c } = tables;

	const sends = db
		.select({ sentAt5: t.sentAt5 })
		.from(t)
		.where(eq(t.key, sql.placeholder('key')))
		.prepare('throttle_sends');

	const countWrongCode = db
		.insert(t)
		.values({
			key: sql.placeholder('key'),
			wrongCodes: 1,
			wrongCodeAt: sql.placeholder('now')
		})
		.onConflictDoUpdate({
			target: t.key,
			set: {
				wrongCodes: sql`case when ${t.wrongCodeAt} <= ${encodedPlaceholder('forgotten', t.wrongCodeAt)} then 1 else ${t.wrongCodes} + 1 end`,
				wrongCodeAt: encodedPlaceholder('now', t.wrongCodeAt)
			}
		})
		.prepare('throttle_count_wrong_code');

	return {
		countSend: async (send, policy) => {
			// A flood for one mailbox must not fill the pool with transactions that wait for its row.
			const [row] = await run(() => sends.execute({ key: send.chargedKey }));
			const full = fullUntil(row?.sentAt5 ?? null, send.requestedAt, policy.throttle.window);
			return full ?? transaction((tx) => countSendInTransaction(tx, send, policy));
		},

		giveBack: (send) => transaction((tx) => giveSendBack(tx, send)),

		countWrongCode: async (email, now, policy) => {
			const forgotten = secondsAfter(now, -policy.wrongCodes.memory);
			await run(() => countWrongCode.execute({ key: email, now, forgotten }), 'write');
		},

		prune: async (now, { throttle, wrongCodes }, limit) => {
			const lastSend = secondsAfter(now, -throttle.window);
			const noSend = and(...SENT_AT.map((name) => or(isNull(t[name]), lte(t[name], lastSend))));
			const noWrongCode = isNull(t.wrongCodeAt);
			// Each condition is one range of the index, however many rows still count. Joined by `or`
			// they would not be.
			const kinds = [
				and(noWrongCode, isNull(t.sentAt1), noSend),
				and(noWrongCode, lte(t.sentAt1, lastSend), noSend),
				and(lte(t.wrongCodeAt, secondsAfter(now, -wrongCodes.memory)), noSend)
			];
			let removed = 0;
			for (const expired of kinds) {
				if (removed === limit) break;
				const order = [t.wrongCodeAt, t.sentAt1];
				removed += await deleteSome(database, limit - removed, t.key, expired, order);
			}
			return removed;
		},

		pruneCounts: (now, limit) => {
			const expired = lte(c.since, secondsAfter(now, -DAY));
			return deleteSome(database, limit, [c.key, c.since], expired, [c.since]);
		}
	};
};

/** Adds a send time in front, unless the last of the five still counts. Locks the row. */
const addSend = preparedStep((tx, { authThrottle: t }) =>
	tx
		.insert(t)
		.values({ key: sql.placeholder('key'), sentAt1: sql.placeholder('now'), wrongCodes: 0 })
		.onConflictDoUpdate({
			target: t.key,
			set: {
				sentAt1: encodedPlaceholder('now', t.sentAt1),
				sentAt2: sql`${t.sentAt1}`,
				sentAt3: sql`${t.sentAt2}`,
				sentAt4: sql`${t.sentAt3}`,
				sentAt5: sql`${t.sentAt4}`
			},
			setWhere: sql`${t.sentAt5} is null or ${t.sentAt5} <= ${encodedPlaceholder('since', t.sentAt5)} or ${t.sentAt5} > ${encodedPlaceholder('until', t.sentAt5)}`
		})
		.returning({ wrongCodes: t.wrongCodes, wrongCodeAt: t.wrongCodeAt })
);

const fullUntil = (sentAt5: Date | null, now: Date, window: number): SendVerdict | null => {
	const until = secondsAfter(now, window);
	if (sentAt5 === null || sentAt5 <= secondsAfter(now, -window) || sentAt5 > until) return null;
	const free = secondsAfter(sentAt5, window);
	return { kind: 'full', retryAt: free < until ? free : until };
};

const rowOf = preparedStep((tx, { authThrottle: t }) =>
	tx
		.select({ sentAt5: t.sentAt5, wrongCodes: t.wrongCodes, wrongCodeAt: t.wrongCodeAt })
		.from(t)
		.where(eq(t.key, sql.placeholder('key')))
);

/** Locks the row. */
const addOneBelowLimit = preparedStep((tx, { siteCount: t }) =>
	tx
		.insert(t)
		.values({ key: sql.placeholder('key'), since: sql.placeholder('since'), count: 1 })
		.onConflictDoUpdate({
			target: [t.key, t.since],
			set: { count: sql`${t.count} + 1` },
			setWhere: sql`${t.count} < ${sql.placeholder('limit')}`
		})
		.returning({ count: t.count })
);

/**
 * Counts a send. To avoid deadlocks, every transaction locks in this order: the mailbox or account, the
 * network, the hour. All sends share the row of the hour, so it is locked last and for a short time.
 */
function* countSendInTransaction(
	tx: Transaction,
	send: Send,
	policy: AuthPolicy
): Work<SendVerdict | RollBack<SendVerdict>> {
	const { email, requestedAt: now, chargedKey: key, isKnown, network } = send;
	const count = (key: CountKey, limit: number) => addOneBelowLimit(tx, { ...key, limit });

	const { window } = policy.throttle;
	const [since, until] = [secondsAfter(now, -window), secondsAfter(now, window)];
	const [added] = yield* addSend(tx, { key, now, since, until });
	if (added === undefined) {
		const { sentAt5 } = yield* onlyRowOf(rowOf(tx, { key }));
		return new RollBack(fullUntil(sentAt5, now, window) ?? { kind: 'full', retryAt: until });
	}
	// Sends count per mailbox or account, wrong codes per email address. These can be two rows.
	const [own] = email === (key as string) ? [added] : yield* rowOf(tx, { key: email });
	let emails = 0;
	const limits = hourLimits(policy.budget);
	if (limits !== null) {
		const [ofNetwork] = yield* count(sendsOfNetwork(network, now), limits.network);
		if (ofNetwork === undefined) return new RollBack({ kind: 'network_full' });
		const [ofHour] = yield* count(sendsOfHour(now), isKnown ? limits.all : limits.unknown);
		if (ofHour === undefined) return new RollBack({ kind: 'over_budget' });
		emails = ofHour.count;
	}
	const isRemembered =
		own?.wrongCodeAt && own.wrongCodeAt > secondsAfter(now, -policy.wrongCodes.memory);
	return { kind: 'allowed', wrongCodes: isRemembered ? own.wrongCodes : 0, emails };
}

const subtractOne = preparedStep((tx, { siteCount: t }) =>
	tx
		.update(t)
		.set({ count: sql`${t.count} - 1` })
		.where(
			sql`${eq(t.key, sql.placeholder('key'))} and ${t.since} = ${encodedPlaceholder('since', t.since)} and ${t.count} > 0`
		)
);

/** Removes one send time. Those after it move up. */
const removeSend = preparedStep((tx, { authThrottle: t }) => {
	const columns = SENT_AT.map((name) => t[name]);
	const at = encodedPlaceholder('at', t.sentAt1);
	const newTimes = SENT_AT.map((name, place) => {
		const next = columns[place + 1] ?? sql`null`;
		const isBefore = inArray(at, columns.slice(0, place + 1));
		return [name, sql`case when ${isBefore} then ${next} else ${columns[place]} end`] as const;
	});
	return tx
		.update(t)
		.set(Object.fromEntries(newTimes))
		.where(sql`${eq(t.key, sql.placeholder('key'))} and ${inArray(at, columns)}`)
		.returning({ key: t.key });
});

/** Takes its locks in the same order as `countSendInTransaction`. */
function* giveSendBack(
	tx: Transaction,
	{ requestedAt: at, chargedKey: key, network }: Send
): Work<void> {
	const removed = yield* removeSend(tx, { key, at });
	if (removed.length === 0) return;
	yield* subtractOne(tx, { ...sendsOfNetwork(network, at) });
	yield* subtractOne(tx, { ...sendsOfHour(at) });
}
