import { deleteAccount } from '#lib/adapters/web/delete-account.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';

export const POST = endpoint(async (event) => {
	await deleteAccount(event);
	return Response.json({ success: true, message: 'User deleted' });
});

export const fallback = onlyMethods('POST');
