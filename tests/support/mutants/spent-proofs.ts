import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlSpentProofs } from '#lib/adapters/sql/limits/spent-proofs.ts';
import type { SpentProofs } from '#lib/domain/limits/spent-proofs.ts';

/** Looks a proof up, then records its use outside that statement's transaction. */
export const naiveSpentProofs = (sql: Sql): SpentProofs => {
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
