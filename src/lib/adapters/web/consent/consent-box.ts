import { withConsentMark } from '#lib/consent-mark.ts';
import { signInLayouts } from '#lib/sign-in-layouts.ts';
import { isScripted } from '../http/scripted.ts';
import type { ConsentBox } from '../sign-in/consent-box.ts';
import { byCall, onPage, tryToConsent } from './occasion.ts';
import { discardPendingConsent, notePendingConsent, pendingConsentFor } from './pending-consent.ts';
import { consentWordings } from './wordings.ts';

/** How consent reaches the server, by page. */
const VIA = { 'sign-in': null, 'sign-up': 'own-call', login: 'with-code' } as const;

/** The box that asks for consent to marketing, on the pages that sign up. */
export const marketingBox: ConsentBox = {
	show: (event, email, page) => {
		const pending = pendingConsentFor(event, email, page);
		return {
			consent: VIA[page] && consentWordings.signUp.text,
			pendingConsent: pending?.id ?? null,
			isTicked: pending?.keptBy === 'server'
		};
	},

	posted: (event, email, page, fields) => {
		const pending = pendingConsentFor(event, email, page);
		// A box that the person ticked posts `on`. A box that the server rendered as ticked posts the
		// id of its consent, which counts only while this consent is still pending.
		const tick = fields.get('consent');
		const isTicked = tick !== null && (tick === 'on' || tick === pending?.id);
		if (!isTicked && pending?.keptBy === 'server') discardPendingConsent(event);
		return {
			isTicked,
			codeSent: () => {
				if (VIA[page] !== null && isTicked) notePendingConsent(event, email, page, 'server');
				else if (VIA[page] === 'own-call' && isScripted(event)) {
					notePendingConsent(event, email, page, 'page');
				}
			}
		};
	},

	resent: pendingConsentFor,

	atCode: (event, email, page) => {
		const { consentWithCode } = signInLayouts[event.locals.app.config.signInLayout];
		const pending = pendingConsentFor(event, email, page);
		const marketing = pending?.keptBy === 'server' ? onPage(event, consentWordings.signUp) : null;
		return {
			answers: { marketing: consentWithCode ? marketing : null },
			signedIn: async (userId) => {
				if (marketing && !consentWithCode) await tryToConsent(event, userId, marketing);
			},
			locationFor: (target) => {
				const isForPage = isScripted(event) && VIA[page] === 'own-call';
				const forPage = pending?.keptBy === 'page' ? pending.id : '';
				return isForPage ? withConsentMark(target, forPage) : target;
			}
		};
	},

	ofCall: (event, body) => {
		// With two entry pages, consent is a separate call after signing in.
		const { consentWithCode } = signInLayouts[event.locals.app.config.signInLayout];
		const agreed = 'marketingOptIn' in body && body.marketingOptIn === true;
		return { marketing: consentWithCode && agreed ? byCall(event, null) : null };
	},

	discard: discardPendingConsent
};
