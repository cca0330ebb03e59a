import type { RequestEvent } from '@sveltejs/kit';
import type { ConsentOccasion, ConsentWording } from '#lib/domain/consent/ports.ts';
import { messages } from '#lib/messages/messages.ts';
import { withoutGroups } from '../http/paths.ts';

const { consent, consentSettings: settings, unsubscribe } = messages;

/**
 * What people read on our pages when they decide about news and offers. Each decision is stored with
 * the text and its version. Give a changed text a new version: `tests/web/consent/wordings.test.ts`
 * has every pair.
 */
export const consentWordings = {
	signUp: { version: consent.version, text: consent.label },
	agree: {
		version: settings.agreeVersion,
		text: `${settings.none} ${settings.agree}.`
	},
	withdraw: {
		version: settings.withdrawVersion,
		text: `${settings.given} ${settings.withdraw}.`
	}
} as const satisfies Readonly<Record<string, ConsentWording>>;

/** On the page of an unsubscribe link, which names the site. */
export const unsubscribeWording = (siteName: string): ConsentWording => ({
	version: unsubscribe.version,
	text: `${unsubscribe.title} ${unsubscribe.lede(siteName)} ${unsubscribe.submit}.`
});

/** The wording that a call names by its version. Null if no person can read it before the call. */
export const wordingOf = (version: string): ConsentWording | null =>
	[consentWordings.signUp, consentWordings.agree].find((one) => one.version === version) ?? null;

export const pageOccasion = (event: RequestEvent, wording: ConsentWording): ConsentOccasion => ({
	source: 'page',
	place: placeOf(event),
	wording
});

/**
 * A decision by a call to the API. With a cookie it comes from the script of a page, otherwise from
 * an app.
 */
export const callOccasion = (
	event: RequestEvent,
	wording: ConsentWording | null
): ConsentOccasion => {
	const isOfPage = event.locals.credential?.kind === 'cookie';
	// The script of the sign-up page makes the call after the redirect that follows the sign-in.
	const isSignUp = isOfPage && wording === consentWordings.signUp;
	return {
		source: isOfPage ? 'page' : 'app',
		place: isSignUp ? '/auth/sign-up' : placeOf(event),
		wording
	};
};

const placeOf = ({ route }: RequestEvent): string | null => route.id && withoutGroups(route.id);
