import type { RequestEvent } from '@sveltejs/kit';
import { withConsentMark } from '#lib/consent-mark.ts';
import type { Profile } from '#lib/domain/account/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { signInLayouts, type SignInPage } from '#lib/sign-in-layouts.ts';
import { isScripted } from '../http/plain-page.ts';
import { byCall, onPage, tryToConsent, consentWordings } from './occasion.ts';
import {
	discardPendingConsent,
	notePendingConsent,
	readOrDiscardConsent
} from './pending-consent.ts';

/** How consent reaches the server, by page. */
const VIA = { 'sign-in': null, 'sign-up': 'own-call', login: 'with-code' } as const;

/** What a new account starts with, besides its name and picture. */
export type SignUpAnswers = Partial<Profile>;

/** The box that asks for consent to marketing, on the pages that sign up. */
export const consentBox = {
	/** What a page shows for this email address. */
	show: (event: RequestEvent, email: string, page: SignInPage) => {
		const pending = readOrDiscardConsent(event, email, page);
		return {
			/** The text of the box. Null without one. */
			consent: VIA[page] && consentWordings.signUp.text,
			/** Id of the consent that may be pending for the email address. */
			pendingConsent: pending?.id ?? null,
			isTicked: pending?.keptBy === 'server'
		};
	},

	/** Reads the box of an email form. */
	posted: (event: RequestEvent, email: string, page: SignInPage, fields: FormData) => {
		const pending = readOrDiscardConsent(event, email, page);
		// A box that the person ticked posts `on`. A box that the server rendered as ticked posts the
		// id of its consent, which counts only while this consent is still pending.
		const tick = fields.get('consent');
		const isTicked = tick !== null && (tick === 'on' || tick === pending?.id);
		if (!isTicked && pending?.keptBy === 'server') discardPendingConsent(event);
		return {
			isTicked,
			/** Call after the code was sent. */
			codeSent: (): void => {
				if (VIA[page] !== null && isTicked) notePendingConsent(event, email, page, 'server');
				else if (VIA[page] === 'own-call' && isScripted(event)) {
					notePendingConsent(event, email, page, 'page');
				}
			}
		};
	},

	/** Another code is requested. A tick for another email address or page does not count for it. */
	discardUnlessFor: (event: RequestEvent, email: string, page: SignInPage): void => {
		readOrDiscardConsent(event, email, page);
	},

	/** For a code form. */
	atCode: (event: RequestEvent, email: string, page: SignInPage) => {
		const { consentWithCode } = signInLayouts[event.locals.app.config.signInLayout];
		const pending = readOrDiscardConsent(event, email, page);
		const marketing = pending?.keptBy === 'server' ? onPage(event, consentWordings.signUp) : null;
		return {
			answers: { marketing: consentWithCode ? marketing : null },
			/** Call after the person signed in. */
			signedIn: async (userId: UserId): Promise<void> => {
				if (marketing && !consentWithCode) await tryToConsent(event, userId, marketing);
			},
			/** The redirect target, with what the page needs to make its own call. */
			locationFor: (target: string): string => {
				const isForPage = isScripted(event) && VIA[page] === 'own-call';
				const forPage = pending?.keptBy === 'page' ? pending.id : '';
				return isForPage ? withConsentMark(target, forPage) : target;
			}
		};
	},

	/** For a sign-in over the API, whose body can contain an answer. */
	ofCall: (event: RequestEvent, body: object): SignUpAnswers => {
		// With two entry pages, consent is a separate call after signing in.
		const { consentWithCode } = signInLayouts[event.locals.app.config.signInLayout];
		const agreed = 'marketingOptIn' in body && body.marketingOptIn === true;
		return { marketing: consentWithCode && agreed ? byCall(event, null) : null };
	},

	/** Forgets a tick: the person signed in or out, or uses a page without the box. */
	discard: discardPendingConsent
};
