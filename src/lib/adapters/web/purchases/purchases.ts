import { error, type RequestEvent } from '@sveltejs/kit';
import type { Purchase } from '#lib/domain/purchases/ports.ts';
import type { User } from '#lib/domain/user.ts';
import { messages } from '#lib/messages/messages.ts';
import { logEvent } from '../http/log-event.ts';
import { requireUser } from '../edge/require-user.ts';

export const REFERENCE_PARAMETER = 'reference';

/** The purchases of the signed-in user, newest first. */
export const loadPurchases = async (event: RequestEvent) => {
	const found = await event.locals.app.listPurchases(requireUser(event).id);
	return found.map(({ id, product, status, createdAt }) => ({
		id,
		product,
		status,
		boughtAt: createdAt
	}));
};

/** The purchase that the URL names. An unknown reference is a 404. */
export const purchaseOf = async (event: RequestEvent): Promise<Purchase> => {
	const reference = event.url.searchParams.get(REFERENCE_PARAMETER) ?? '';
	const purchase = await event.locals.app.readPurchase(reference);
	const { unknown, unknownText } = messages.checkout;
	if (purchase === null) error(404, unknown, { advice: unknownText });
	return purchase;
};

/** Logs whether the purchase now belongs to the account. */
export const claimFor = async (
	event: RequestEvent,
	{ id, reference }: Purchase,
	user: User
): Promise<void> => {
	const claimed = await event.locals.app.claimPurchase(reference, user);
	logEvent(event, 'purchase_claimed', { purchase: id, outcome: claimed ? 'ok' : 'refused' });
};
