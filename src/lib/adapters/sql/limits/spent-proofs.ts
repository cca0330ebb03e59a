import { getTableColumns, lte } from 'drizzle-orm';
import type { SpentProofs } from '#lib/domain/proof/ports.ts';
import { deleteSome, placeholdersFor } from '../rows.ts';
import type { Sql } from '../sql.ts';

export const sqlSpentProofs = (database: Sql): SpentProofs => {
	const { db, tables, run } = database;
	const t = tables.spentProof;

	const spend = db
		.insert(t)
		.values(placeholdersFor(getTableColumns(t)))
		.onConflictDoNothing()
		.returning({ id: t.id })
		.prepare('spent_proof_spend');

	return {
		spend: async (proof) => (await run(() => spend.execute({ ...proof }), 'write')).length > 0,

		prune: (now, limit) => deleteSome(database, limit, t.id, lte(t.expiresAt, now), [t.expiresAt])
	};
};
