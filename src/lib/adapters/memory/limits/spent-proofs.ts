import type { SpentProofs } from '#lib/domain/proof/spent-proofs.ts';
import { copy, removeSome, type MemoryTables } from '../tables.ts';

export const memorySpentProofs = ({ spentProofs }: MemoryTables): SpentProofs => ({
	spend: async ({ id, expiresAt }) => {
		if (spentProofs.has(id)) return false;
		spentProofs.set(id, copy({ expiresAt }));
		return true;
	},
	prune: async (now, limit) => removeSome(spentProofs, ({ expiresAt }) => expiresAt <= now, limit)
});
