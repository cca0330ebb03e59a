import type { RequestEvent } from '@sveltejs/kit';
import { requireUser } from '../edge/require-user.ts';

export const loadPurchases = async (event: RequestEvent) => {
	const found = await event.locals.app.listPurchases(requireUser(event).id);
	return found.map(({ id, product, status, createdAt }) => ({
		id,
		product,
		status,
		boughtAt: createdAt
	}));
};
