import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { signOut } from '#lib/adapters/web/sign-out.ts';

export const POST = endpoint(async (event) => {
	await signOut(event);
	return Response.json({ success: true });
});

export const fallback = onlyMethods('POST');
