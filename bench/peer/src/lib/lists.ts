import { database } from './database.ts';

export interface Purchase {
	readonly id: string;
	readonly product: string;
	readonly status: string;
	readonly createdAt: number;
}

/** Prepared on first use, because the build loads this module without a database. */
const purchases = () =>
	database.prepare<[string], Purchase>(
		'select id, product, status, createdAt from purchase where userId = ? order by createdAt desc, id desc'
	);
let purchasesOfUser: ReturnType<typeof purchases> | null = null;

export const purchasesOf = (userId: string): readonly Purchase[] =>
	(purchasesOfUser ??= purchases()).all(userId);
