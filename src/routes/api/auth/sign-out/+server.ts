import * as session from '#lib/adapters/web/api/session.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { signOut } from '#lib/adapters/web/sign-out.ts';
import { ok } from '#lib/domain/result.ts';

export const POST = endpoint(session.signOut, async (event) => {
	await signOut(event);
	return ok({ success: true });
});

export const fallback = onlyMethods(session.signOut);
