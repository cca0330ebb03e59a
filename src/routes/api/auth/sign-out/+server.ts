import { signOut } from '#lib/adapters/web/sessions/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { signOutBrowser } from '#lib/adapters/web/sessions/end-sessions.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(signOut, async (event) => {
	await signOutBrowser(event);
	return ok({ success: true });
});
