import { revokeSessions } from '#lib/adapters/web/sessions/operations.ts';
import { signOutEverywhere } from '#lib/adapters/web/sessions/end-sessions.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(revokeSessions, async (event) => {
	await signOutEverywhere(event);
	return ok({ status: true });
});
