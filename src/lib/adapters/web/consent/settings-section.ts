import { fail, redirect, type RequestEvent } from '@sveltejs/kit';
import { outcomeOf, retryAfterOf } from '../http/outcome.ts';
import { logEvent } from '../http/log-event.ts';
import { requireUser } from '../edge/require-user.ts';
import { settingsAfter } from '../http/flash.ts';
import { pageOccasion, consentWordings } from './occasion.ts';

export const loadConsent = async (event: RequestEvent) => {
	const data = await event.locals.app.readConsent(requireUser(event).id);
	return { given: data?.marketingOptIn ?? false };
};

/** Posting the form is the consent. */
export const grantConsent = async (event: RequestEvent) => {
	const occasion = pageOccasion(event, consentWordings.agree);
	const granted = await event.locals.app.grantConsent(requireUser(event).id, occasion);
	if (granted.ok) redirect(303, settingsAfter(event, 'consent-given'));
	const { status, text } = outcomeOf(granted.error);
	event.setHeaders({ 'retry-after': String(retryAfterOf(granted.error)) });
	return fail(status, { consentRefused: text });
};

export const withdrawConsent = async (event: RequestEvent): Promise<never> => {
	const occasion = pageOccasion(event, consentWordings.withdraw);
	await event.locals.app.withdrawConsent(requireUser(event).id, occasion);
	logEvent(event, 'consent_withdrawn', { via: event.route.id });
	redirect(303, settingsAfter(event, 'consent-withdrawn'));
};
