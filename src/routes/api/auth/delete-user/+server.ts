import { deleteUser } from '#lib/adapters/web/api/account.ts';
import { deleteAccount } from '#lib/adapters/web/delete-account.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { ok } from '#lib/domain/result.ts';

export const POST = endpoint(deleteUser, async (event) => {
	await deleteAccount(event);
	return ok({ success: true, message: 'User deleted' });
});

export const fallback = onlyMethods(deleteUser);
