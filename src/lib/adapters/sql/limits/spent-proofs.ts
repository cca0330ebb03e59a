import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { checkTicketsOf } from '#lib/domain/limits/check-tickets.ts';
import { checkTicketsUsed } from '#lib/domain/limits/count-keys.ts';
import type { SendProof } from '#lib/domain/limits/send-proof.ts';
import type { Network } from '#lib/domain/limits/sender.ts';
import type { SpentProofs } from '#lib/domain/limits/spent-proofs.ts';
import { atMost } from '../rows.ts';
import {
	lockValue,
	onlyRowOf,
	RollBack,
	rowsOf,
	type Sql,
	type Transaction,
	type Work
} from '../sql.ts';
import { addCount } from './counts.ts';

/**
 * Tickets of the network that were used after this one was issued. Locks the network, so that
 * concurrent tickets of it count each other.
 */
export function* overlappingTickets(
	database: Sql,
	tx: Transaction,
	proof: SendProof | null,
	network: Network
): Work<number> {
	if (proof?.kind !== 'ticket') return 0;
	yield* lockValue(database, tx, network);
	const t = database.tables.spentProof;
	const count = sql<number>`cast(count(*) as integer)`;
	const overlaps = and(eq(t.network, network), gt(t.spentAt, proof.issuedAt));
	return (yield* onlyRowOf(rowsOf(tx.select({ count }).from(t).where(overlaps)))).count;
}

/** False when the proof was used before. */
export function* recordProof(
	{ tables: { spentProof: t } }: Sql,
	tx: Transaction,
	{ id, kind, expiresAt }: SendProof,
	network: Network,
	now: Date
): Work<boolean> {
	const row = { id, network: kind === 'ticket' ? network : null, spentAt: now, expiresAt };
	const recorded = yield* rowsOf(
		tx.insert(t).values(row).onConflictDoNothing().returning({ id: t.id })
	);
	return recorded.length > 0;
}

export const sqlSpentProofs = (database: Sql): SpentProofs => {
	const { db, tables, run, transaction, skipLocked } = database;
	const { spentProof: t, siteCount: c } = tables;
	return {
		spend: (proof, network, now, policy) =>
			transaction(function* (tx): Work<boolean | RollBack<boolean>> {
				const overlapping = yield* overlappingTickets(database, tx, proof, network);
				if (overlapping >= policy.budget.openTickets) return new RollBack(false);
				if (!(yield* recordProof(database, tx, proof, network, now))) return new RollBack(false);
				if (proof.kind === 'work') return true;
				const tickets = yield* addCount(tx, tables, checkTicketsUsed(now), 1);
				return tickets <= checkTicketsOf(policy) || new RollBack(false);
			}),

		ticketsSpent: async (now) => {
			const { key, since } = checkTicketsUsed(now);
			const isMinute = and(eq(c.key, key), eq(c.since, since));
			const [row] = await run(() => db.select({ count: c.count }).from(c).where(isMinute));
			return row?.count ?? 0;
		},

		prune: async (now, limit) => {
			const expired = lte(t.expiresAt, now);
			const removed = await run(() =>
				db
					.delete(t)
					.where(atMost(limit, t.id, expired, skipLocked, [t.expiresAt]))
					.returning({ id: t.id })
			);
			return removed.length;
		}
	};
};
