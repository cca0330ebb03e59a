import * as session from '#lib/adapters/web/sessions/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { signOut } from '#lib/adapters/web/sessions/end-sessions.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(session.signOut, async (event) => {
	await signOut(event);
	return ok({ success: true });
});

export const fallback = onlyMethods(session.signOut);
