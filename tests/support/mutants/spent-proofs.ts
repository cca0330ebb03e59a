import { and, eq } from 'drizzle-orm';
import { sqlSpentProofs } from '#lib/adapters/sql/limits/spent-proofs.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { checkTicketsOf } from '#lib/domain/limits/check-tickets.ts';
import { checkTicketsUsed } from '#lib/domain/limits/count-keys.ts';
import type { SpentProofs } from '#lib/domain/limits/spent-proofs.ts';

/** Counts the checks by ticket that it reads, then writes one more. */
export const naiveSpentProofs = (sql: Sql): SpentProofs => {
	const { db, tables, run } = sql;
	const c = tables.siteCount;
	return {
		...sqlSpentProofs(sql),
		spend: async ({ id, expiresAt }, network, now, policy) => {
			const { key, since } = checkTicketsUsed(now);
			const isMinute = and(eq(c.key, key), eq(c.since, since));
			const [row] = await run(() => db.select().from(c).where(isMinute));
			const count = (row?.count ?? 0) + 1;
			if (count > checkTicketsOf(policy)) return false;
			const spent = { id, network, spentAt: now, expiresAt };
			await run(() => db.insert(tables.spentProof).values(spent).onConflictDoNothing().returning());
			await run(() =>
				db
					.insert(c)
					.values({ key, since, part: 0, count })
					.onConflictDoUpdate({ target: [c.key, c.since, c.part], set: { count } })
					.returning()
			);
			return true;
		}
	};
};

/** Looks a proof up, then records its use outside that statement's transaction. */
export const naiveSingleUse = (sql: Sql): SpentProofs => {
	const { db, tables, run } = sql;
	return {
		...sqlSpentProofs(sql),
		spend: async ({ id, kind, expiresAt }, network, now) => {
			const proofs = await run(() => db.select().from(tables.spentProof));
			if (proofs.some((spent) => spent.id === id)) return false;
			const spent = { id, network: kind === 'ticket' ? network : null, spentAt: now, expiresAt };
			await run(() => db.insert(tables.spentProof).values(spent).onConflictDoNothing().returning());
			return true;
		}
	};
};
