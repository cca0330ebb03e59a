import { loadPurchases } from '#lib/adapters/web/purchases/purchases.ts';
import { requireUser } from '#lib/adapters/web/edge/require-user.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
	const { name } = requireUser(event);
	return { account: { name }, purchases: await loadPurchases(event) };
};
