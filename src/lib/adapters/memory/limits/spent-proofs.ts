import { checkTicketsOf } from '#lib/domain/limits/check-tickets.ts';
import { checkTicketsUsed } from '#lib/domain/limits/count-keys.ts';
import type { SpentProofs } from '#lib/domain/limits/spent-proofs.ts';
import type { SendProof } from '#lib/domain/limits/send-proof.ts';
import type { Network } from '#lib/domain/limits/sender.ts';
import { addCount, countOf } from './counts.ts';
import { copy, removeSome, type MemoryTables } from '../tables.ts';

/** Tickets of the network that were used after this one was issued. */
export const overlappingTickets = (
	{ spentProofs }: MemoryTables,
	proof: SendProof | null,
	network: Network
): number =>
	proof?.kind === 'ticket'
		? [...spentProofs.values()].filter(
				(row) => row.network === network && row.spentAt > proof.issuedAt
			).length
		: 0;

/** False when the proof was used before. */
export const recordProof = (
	{ spentProofs }: MemoryTables,
	{ id, kind, expiresAt }: SendProof,
	network: Network,
	now: Date
): boolean => {
	if (spentProofs.has(id)) return false;
	const row = { network: kind === 'ticket' ? network : null, spentAt: now, expiresAt };
	spentProofs.set(id, copy(row));
	return true;
};

export const memorySpentProofs = (tables: MemoryTables): SpentProofs => ({
	spend: async (proof, network, now, policy) => {
		const isTicket = proof.kind === 'ticket';
		const key = checkTicketsUsed(now);
		if (isTicket && countOf(tables, key) >= checkTicketsOf(policy)) return false;
		if (overlappingTickets(tables, proof, network) >= policy.budget.openTickets) return false;
		const isNew = recordProof(tables, proof, network, now);
		if (isTicket && isNew) addCount(tables, key, 1);
		return isNew;
	},
	ticketsSpent: async (now) => countOf(tables, checkTicketsUsed(now)),
	prune: async (now, limit) =>
		removeSome(tables.spentProofs, ({ expiresAt }) => expiresAt <= now, limit)
});
