import { grantConsent } from '#lib/adapters/web/api/operations/account.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/result.ts';

export const POST = endpoint(grantConsent, async (event, { user }) => {
	await event.locals.app.grantConsent(user.id);
	return ok({ success: true });
});

export const fallback = onlyMethods(grantConsent);
