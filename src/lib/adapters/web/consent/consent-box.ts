import type { RequestEvent } from '@sveltejs/kit';
import { withConsentMark } from '#lib/consent-mark.ts';
import type { ConsentChoice } from '#lib/domain/consent/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { signInLayouts, type SignInPage } from '#lib/sign-in-layouts.ts';
import { isScripted } from '../http/request-headers.ts';
import { callOccasion, pageOccasion, tryToConsent, consentWordings } from './occasion.ts';
import { PENDING_CONSENT_LIFETIME, type PendingConsent } from './pending-consent.ts';

/** How consent reaches the server, by page. */
const VIA = { 'sign-in': null, 'sign-up': 'own-call', login: 'with-code' } as const;

/**
 * The box that asks for consent to marketing on a sign-in page, for one email address. A tick for
 * another email address or page does not count, and is discarded.
 */
export const consentBox = (event: RequestEvent, email: string, page: SignInPage) => {
	const { app, authCookies } = event.locals;
	const { consentWithCode } = signInLayouts[app.config.signInLayout];
	const via = VIA[page];
	const owner = { email, page };
	const value = authCookies.pendingConsent();
	const codeKey = authCookies.codeKey();
	const pending = value === null ? null : app.pendingConsents.read(value, { ...owner, codeKey });
	if (pending === null) discardConsent(event);
	const isOnServer = pending?.keptBy === 'server';
	const marketing = isOnServer ? pageOccasion(event, consentWordings.signUp) : null;
	/** Replaces any earlier tick. Pending until the correct code is entered. */
	const keepTick = (keptBy: PendingConsent['keptBy']): void => {
		// Sending the code has set the key of a new browser.
		const owned = { ...owner, codeKey: authCookies.codeKey() };
		const issued = app.pendingConsents.issue(keptBy, owned);
		if (issued !== null) authCookies.setPendingConsent(issued, PENDING_CONSENT_LIFETIME);
	};
	return {
		/** Null without a box. */
		text: via && consentWordings.signUp.text,
		pendingId: pending?.id ?? null,
		isTicked: isOnServer,

		/** Reads the box of an email form. */
		posted: (fields: FormData) => {
			// A box that the person ticked posts `on`. A box that the server rendered as ticked posts the
			// id of its consent, which counts only while this consent is still pending.
			const tick = fields.get('consent');
			const isTicked = tick !== null && (tick === 'on' || tick === pending?.id);
			if (!isTicked && isOnServer) discardConsent(event);
			return {
				isTicked,
				/** Call after the code was sent. */
				codeSent: (): void => {
					if (via !== null && isTicked) keepTick('server');
					else if (via === 'own-call' && isScripted(event)) keepTick('page');
				}
			};
		},

		/** For the sign-in with the code. */
		choice: { marketing: consentWithCode ? marketing : null },
		/** Call after the person signed in. */
		signedIn: async (userId: UserId): Promise<void> => {
			if (marketing && !consentWithCode) await tryToConsent(event, userId, marketing);
		},
		/** The redirect target after it, with what the page needs to make its own call. */
		locationFor: (target: string): string => {
			const isForPage = isScripted(event) && via === 'own-call';
			const forPage = pending?.keptBy === 'page' ? pending.id : '';
			return isForPage ? withConsentMark(target, forPage) : target;
		}
	};
};

/** For a sign-in over the API, whose body can contain the consent. */
export const consentOfCall = (event: RequestEvent, body: object): ConsentChoice => {
	// With two sign-in pages, consent is a separate call after signing in.
	const { consentWithCode } = signInLayouts[event.locals.app.config.signInLayout];
	const agreed = 'marketingOptIn' in body && body.marketingOptIn === true;
	return { marketing: consentWithCode && agreed ? callOccasion(event, null) : null };
};

/** Forgets a tick: the person signed in or out, or uses a page without the box. */
export const discardConsent = ({ locals: { authCookies } }: RequestEvent): void => {
	if (authCookies.pendingConsent() !== null) authCookies.setPendingConsent(null);
};
