import { revokeSession } from '#lib/adapters/web/api/operations/sessions.ts';
import { endOne } from '#lib/adapters/web/sessions/end-sessions.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/result.ts';

/** The same answer for a handle that is unknown or somebody else's. */
export const POST = endpoint(revokeSession, async (event, { body }) => {
	await endOne(event, body.token);
	return ok({ status: true });
});

export const fallback = onlyMethods(revokeSession);
