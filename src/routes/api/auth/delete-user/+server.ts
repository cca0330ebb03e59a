import { deleteUser } from '#lib/adapters/web/account/operations.ts';
import { deleteAccount } from '#lib/adapters/web/account/deletion.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(deleteUser, async (event) => {
	await deleteAccount(event);
	return ok({ success: true, message: 'User deleted' });
});
