import { deleteUser } from '#lib/adapters/web/account/operations.ts';
import { deleteAccount } from '#lib/adapters/web/account/deletion.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(deleteUser, async (event) => {
	await deleteAccount(event);
	return ok({ success: true, message: 'User deleted' });
});

export const fallback = onlyMethods(deleteUser);
