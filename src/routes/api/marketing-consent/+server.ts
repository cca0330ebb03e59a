import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { requireUser } from '#lib/adapters/web/require-user.ts';

/** The call itself is the consent. */
export const POST = endpoint(async (event) => {
	await event.locals.app.grantConsent(requireUser(event).id);
	return Response.json({ success: true });
});

export const fallback = onlyMethods('POST');
