import { signOut } from '#lib/adapters/web/sessions/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { signOutBrowser } from '#lib/adapters/web/sessions/end-sessions.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(signOut, async (event) => {
	await signOutBrowser(event);
	return ok({ success: true });
});

export const fallback = onlyMethods(signOut);
