import { revokeSession } from '#lib/adapters/web/sessions/operations.ts';
import { endSessionByHandle } from '#lib/adapters/web/sessions/end-sessions.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

/** Also for a handle that is unknown or belongs to another account. */
export const { POST, fallback } = endpoint(revokeSession, async (event, { body }) => {
	await endSessionByHandle(event, body.token);
	return ok({ status: true });
});
