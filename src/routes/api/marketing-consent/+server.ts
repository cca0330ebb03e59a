import { grantConsent, withdrawConsent } from '#lib/adapters/web/consent/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { callOccasion, wordingOf } from '#lib/adapters/web/consent/occasion.ts';
import { logEvent } from '#lib/adapters/web/http/log-event.ts';
import { err, ok } from '#lib/domain/errors.ts';

const WORDING = 'wording';

export const { POST } = endpoint(grantConsent, async (event, { user }) => {
	const named = event.url.searchParams.get(WORDING);
	const wording = named === null ? null : wordingOf(named);
	if (named !== null && wording === null) return err({ code: 'unknown_wording' });
	const granted = await event.locals.app.grantConsent(user.id, callOccasion(event, wording));
	return granted.ok ? ok({ success: true }) : granted;
});

export const { DELETE } = endpoint(withdrawConsent, async (event, { user }) => {
	await event.locals.app.withdrawConsent(user.id, callOccasion(event, null));
	logEvent(event, 'consent_withdrawn', { via: event.route.id });
	return ok({ success: true });
});

export const fallback = onlyMethods(grantConsent, withdrawConsent);
