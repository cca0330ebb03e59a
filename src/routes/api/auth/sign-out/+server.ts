import { signOut } from '#lib/adapters/web/sessions/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { endCurrent } from '#lib/adapters/web/sessions/end-sessions.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(signOut, async (event) => {
	await endCurrent(event);
	return ok({ success: true });
});

export const fallback = onlyMethods(signOut);
