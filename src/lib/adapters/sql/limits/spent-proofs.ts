import { lte, sql } from 'drizzle-orm';
import type { SpentProofs } from '#lib/domain/proof/ports.ts';
import { atMost } from '../rows.ts';
import type { Sql } from '../sql.ts';

export const sqlSpentProofs = ({ db, tables, run, skipLocked }: Sql): SpentProofs => {
	const t = tables.spentProof;

	const spend = db
		.insert(t)
		.values({ id: sql.placeholder('id'), expiresAt: sql.placeholder('expiresAt') })
		.onConflictDoNothing()
		.returning({ id: t.id })
		.prepare('spent_proof_spend');

	return {
		spend: async (proof) => (await run(() => spend.execute({ ...proof }), 'write')).length > 0,

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
