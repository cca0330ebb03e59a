import { revokeOtherSessions } from '#lib/adapters/web/sessions/operations.ts';
import { endOthers } from '#lib/adapters/web/sessions/end-sessions.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(revokeOtherSessions, async (event) => {
	await endOthers(event);
	return ok({ status: true });
});
