import { revokeOtherSessions } from '#lib/adapters/web/sessions/operations.ts';
import { endOthers } from '#lib/adapters/web/sessions/end-sessions.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(revokeOtherSessions, async (event) => {
	await endOthers(event);
	return ok({ status: true });
});

export const fallback = onlyMethods(revokeOtherSessions);
