import type { LeasedMail, OutboxRow, OutboxRows } from '#lib/domain/outbox.ts';
import {
	constrain,
	copy,
	latestFirst,
	removeSome,
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
	const ofLane = [...rows.values()].filter((row) => row.lane === lane);
	const waiting = ofLane.filter((row) => row.attempts === 0).map(({ turn }) => turn);
	const own = ofLane
		.filter((row) => row.fairnessKey === fairnessKey && row.failedAt === null)
		.map(({ turn }) => turn + 1);
	return Math.max(0, ...own, waiting.length === 0 ? 0 : Math.min(...waiting));
};

/** Refuses a row that exists, before the operation writes anything. */
export const checkMails = (
	{ outboxRows }: Pick<MemoryTables, 'outboxRows'>,
	mails: readonly OutboxRow[]
): void => {
	for (const { id } of mails) constrain(!outboxRows.has(id), 'PRIMARY_KEY');
};

/** Adds the rows of a fact that is stored in the same turn. */
export const addMails = (
	{ outboxRows }: Pick<MemoryTables, 'outboxRows'>,
	mails: readonly OutboxRow[]
): void => {
	for (const mail of mails) {
		const turn = turnOf(outboxRows, mail);
		const waiting = { dueAt: mail.queuedAt, turn, attempts: 0, failedAt: null, failure: null };
		outboxRows.set(mail.id, copy({ ...mail, ...waiting }));
	}
};

/** No method awaits between reading and writing, so every method is atomic. */
export const memoryOutboxRows = ({ outboxRows }: MemoryTables): OutboxRows => {
	const change = (lease: LeasedMail, to: Partial<StoredMail>): void => {
		const row = outboxRows.get(lease.id);
		if (isHeld(lease)) outboxRows.set(lease.id, copy({ ...row, ...to } as StoredMail));
	};
	const isHeld = ({ id, attempt }: LeasedMail): boolean => {
		const row = outboxRows.get(id);
		return row !== undefined && row.attempts === attempt && row.failedAt === null;
	};

	return {
		lease: async (lane, now, until, limit) => {
			const due = [...outboxRows.values()]
				.filter((row) => row.lane === lane && row.failedAt === null && row.dueAt <= now)
				.sort(inTurn)
				.slice(0, limit);
			return due.map((row) => {
				const leased = { ...row, dueAt: until, attempts: row.attempts + 1 };
				outboxRows.set(row.id, copy(leased));
				const {
					dueAt: _due,
					turn: _turn,
					failedAt: _at,
					failure: _why,
					attempts,
					...mail
				} = leased;
				return copy({ ...mail, attempt: attempts, until });
			});
		},

		remove: async (lease) => {
			if (isHeld(lease)) outboxRows.delete(lease.id);
		},

		retryAt: async (lease, at) => change(lease, { dueAt: at }),

		giveUp: async (lease, now, failure, wipe) =>
			change(lease, { failedAt: now, failure, ...(wipe && { content: '' }) }),

		backlog: async () => {
			const waiting = [...outboxRows.values()].filter(({ failedAt }) => failedAt === null);
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
			const again = [...outboxRows.values()]
				.filter((row) => row.failedAt !== null && row.content !== '')
				.filter((row) => row.expiresAt === null || row.expiresAt > now)
				.filter((row) => ids === null || ids.includes(row.id));
			for (const row of again) {
				const renewed = { queuedAt: now, dueAt: now, failedAt: null, failure: null };
				outboxRows.set(row.id, copy({ ...row, ...renewed }));
			}
			return again.length;
		},

		prune: async (failedBefore, limit) =>
			removeSome(outboxRows, ({ failedAt }) => failedAt !== null && failedAt <= failedBefore, limit)
	};
};
