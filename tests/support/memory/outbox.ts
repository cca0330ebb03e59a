import type { OutboxRow } from '#lib/domain/outbox.ts';
import type { LeasedMail, OutboxRows } from '#lib/domain/delivery/ports.ts';
import {
	change,
	copy,
	insert,
	latestFirst,
	removeSome,
	rowsOf,
	type MemoryTables,
	type StoredMail
} from './tables.ts';

const inTurn = (a: StoredMail, b: StoredMail): number =>
	Number(a.attempts > 0) - Number(b.attempts > 0) ||
	a.turn - b.turn ||
	a.dueAt.getTime() - b.dueAt.getTime() ||
	(a.id < b.id ? -1 : 1);

/**
 * The turn after the last one of its fairness key, and not before the first email that still waits. So
 * keys take turns, and one that had no emails does not make up for it. Emails that were given up
 * no longer take turns.
 */
const turnOf = (rows: MemoryTables['outboxRows'], { lane, fairnessKey }: OutboxRow): number => {
	const ofLane = rowsOf(rows, (row) => row.lane === lane);
	const waiting = ofLane.filter((row) => row.attempts === 0).map(({ turn }) => turn);
	const own = ofLane
		.filter((row) => row.fairnessKey === fairnessKey && row.failedAt === null)
		.map(({ turn }) => turn + 1);
	return Math.max(0, ...own, waiting.length === 0 ? 0 : Math.min(...waiting));
};

/** Adds the rows of a fact that is stored in the same turn. */
export const addMails = (
	{ outboxRows }: Pick<MemoryTables, 'outboxRows'>,
	mails: readonly OutboxRow[]
): void => {
	for (const mail of mails) {
		const turn = turnOf(outboxRows, mail);
		const waiting = { dueAt: mail.queuedAt, turn, attempts: 0, failedAt: null, failure: null };
		insert(outboxRows, mail.id, { ...mail, ...waiting });
	}
};

/** No method awaits between reading and writing, so every method is atomic. */
export const memoryOutboxRows = ({ outboxRows }: MemoryTables): OutboxRows => {
	const isHeld =
		({ id, attempt }: LeasedMail) =>
		(row: StoredMail): boolean =>
			row.id === id && row.attempts === attempt && row.failedAt === null;

	return {
		lease: async (lane, now, until, limit) => {
			const isDue = (row: StoredMail): boolean =>
				row.lane === lane && row.failedAt === null && row.dueAt <= now;
			const due = rowsOf(outboxRows, isDue).sort(inTurn).slice(0, limit);
			return due.map(({ dueAt: _, turn, failedAt, failure, attempts, ...mail }) => {
				const attempt = attempts + 1;
				const leased = { ...mail, dueAt: until, turn, failedAt, failure, attempts: attempt };
				outboxRows.set(mail.id, copy(leased));
				return copy({ ...mail, attempt, until });
			});
		},

		remove: async (lease) => void removeSome(outboxRows, isHeld(lease)),

		retryAt: async (lease, at) => void change(outboxRows, isHeld(lease), { dueAt: at }),

		giveUp: async (lease, now, failure, wipe) => {
			const end = { failedAt: now, failure, ...(wipe && { content: '' }) };
			change(outboxRows, isHeld(lease), end);
		},

		backlog: async () => {
			const waiting = rowsOf(outboxRows, ({ failedAt }) => failedAt === null);
			const [oldest = null] = waiting.map(({ queuedAt }) => queuedAt).sort((a, b) => +a - +b);
			return { waiting: waiting.length, oldest };
		},

		failed: async () =>
			[...outboxRows.values()]
				.flatMap(({ dueAt: _due, turn: _turn, failedAt, failure, ...mail }) =>
					failedAt === null || failure === null ? [] : [copy({ ...mail, failedAt, failure })]
				)
				.sort(latestFirst(({ failedAt }) => failedAt)),

		retryFailed: async (ids, now) => {
			const isRetried = (row: StoredMail): boolean =>
				row.failedAt !== null &&
				row.content !== '' &&
				(row.expiresAt === null || row.expiresAt > now) &&
				(ids === null || ids.includes(row.id));
			const renewed = { queuedAt: now, dueAt: now, failedAt: null, failure: null };
			return change(outboxRows, isRetried, renewed);
		},

		prune: async (failedBefore, limit) =>
			removeSome(outboxRows, ({ failedAt }) => failedAt !== null && failedAt <= failedBefore, limit)
	};
};
