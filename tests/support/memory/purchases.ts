import type { Account } from '#lib/domain/account/ports.ts';
import type { Purchases } from '#lib/domain/purchases/ports.ts';
import { change, copy, firstOf, insert, latestFirst, rowsOf, type MemoryTables } from './tables.ts';

export const memoryPurchases = ({ users, purchases }: MemoryTables): Purchases => ({
	record: async (purchase) => {
		if (firstOf(purchases, (row) => row.reference === purchase.reference)) return;
		const owner = firstOf(users, (row) => row.email === purchase.email && row.deletedAt === null);
		insert(purchases, purchase.id, { ...purchase, userId: owner?.id ?? null });
	},

	find: async (reference) => copy(firstOf(purchases, (row) => row.reference === reference) ?? null),

	claim: async (reference, { id, email }) => {
		const row = firstOf(purchases, (row) => row.reference === reference);
		if (row === undefined || users.get(id)?.deletedAt !== null) return false;
		if (row.userId !== id && (row.userId !== null || row.email !== email)) return false;
		purchases.set(row.id, { ...row, userId: id });
		return true;
	},

	listOf: async (userId) =>
		rowsOf(purchases, (row) => row.userId === userId)
			.sort(latestFirst(({ createdAt }) => createdAt))
			.map(copy)
});

/** Links the purchases that were made with the email address of a new account. */
export const linkPurchases = (
	{ purchases }: MemoryTables,
	{ id, email }: Pick<Account, 'id' | 'email'>
): void =>
	void change(purchases, (row) => row.email === email && row.userId === null, { userId: id });
