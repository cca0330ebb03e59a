import type { RequestEvent } from '@sveltejs/kit';
import { requireUser } from '../sessions/require-user.ts';
import type { ShownPurchase } from '#lib/view/purchases.ts';

/** The purchases of the signed-in user, newest first. */
export const loadPurchases = async (event: RequestEvent): Promise<readonly ShownPurchase[]> => {
	const found = await event.locals.app.purchasesOf(requireUser(event).id);
	return found.map(({ id, product, status, createdAt }) => ({
		id,
		product,
		status,
		boughtAt: createdAt
	}));
};
