import { database } from '#lib/database.ts';
import type { PageServerLoad } from './$types';

interface Purchase {
	readonly id: string;
	readonly product: string;
	readonly status: string;
	readonly createdAt: number;
}

/** Prepared on first use, because the build loads this module without a database. */
const prepare = () =>
	database.prepare<[string], Purchase>(
		'select id, product, status, createdAt from purchase where userId = ? order by createdAt desc, id desc'
	);
let purchasesOf: ReturnType<typeof prepare> | undefined;

export const load: PageServerLoad = ({ locals: { user } }) => ({
	account: { name: user.name },
	purchases: (purchasesOf ??= prepare()).all(user.id).map(({ createdAt, ...purchase }) => ({
		...purchase,
		boughtAt: new Date(createdAt)
	}))
});
