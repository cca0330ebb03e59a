import { revokeOtherSessions } from '#lib/adapters/web/api/session.ts';
import { endOthers } from '#lib/adapters/web/end-sessions.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { ok } from '#lib/domain/result.ts';

export const POST = endpoint(revokeOtherSessions, async (event) => {
	await endOthers(event);
	return ok({ status: true });
});

export const fallback = onlyMethods(revokeOtherSessions);
