import { fail, redirect, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { withConsentMark } from '#lib/consent-mark.ts';
import { enterCode, resendCode, sendCode } from './code-actions.ts';
import type { CountedAction } from '../limits/counted-event.ts';
import { isScripted } from '../forms/scripted.ts';
import { postedFields } from '../forms/posted-form.ts';
import { destination } from '../security/safe-path.ts';
import { codeForm, codeRequestForm, resendForm } from '../forms/schemas.ts';
import {
	discardPendingConsent,
	pendingConsentFor,
	notePendingConsent
} from '../consent/pending-consent.ts';
import { onPage, tryToConsent } from '../consent/occasion.ts';
import { consentWordings } from '../consent/wordings.ts';
import { CONSENT, FORM_IDS, keepQuery, RESENT_PARAMETER } from './load-code-flow.ts';
import type { SignInPage } from '#lib/view/sign-in.ts';

/** The actions of an entry page. */
export const codeFlowActions = (
	page: SignInPage
): {
	readonly request: CountedAction<'send'>;
	readonly resend: CountedAction<'send'>;
	readonly verify: CountedAction<'check'>;
} => ({
	request: async (event) => {
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(codeRequestForm), { id: FORM_IDS.email });
		if (!form.valid) return fail(400, { form });
		const { email } = form.data;
		const pending = pendingConsentFor(event, email, page);
		// A box that the person ticked posts `on`. A box that the server rendered as ticked posts the
		// id of its consent, which counts only while this consent is still pending.
		const tick = fields.get('consent');
		form.data.consent = tick !== null && (tick === 'on' || tick === pending?.id);
		if (!form.data.consent && pending?.keptBy === 'server') discardPendingConsent(event);
		const refused = await sendCode(event, form, email, fields);
		if (refused) return refused;
		if (CONSENT[page] !== null && form.data.consent) {
			notePendingConsent(event, email, page, 'server');
		} else if (CONSENT[page] === 'own-call' && isScripted(event)) {
			notePendingConsent(event, email, page, 'page');
		}
		redirect(303, samePage(event));
	},

	resend: async (event) => {
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(resendForm), { id: FORM_IDS.resend });
		if (!form.valid) return fail(400, { form });
		pendingConsentFor(event, form.data.email, page);
		const refused = await resendCode(event, form, form.data.email, fields);
		return refused ?? redirect(303, samePage(event, RESENT_PARAMETER));
	},

	verify: async (event) => {
		const { app } = event.locals;
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(codeForm), { id: FORM_IDS.code });
		if (!form.valid) return fail(400, { form });
		const isSingle = app.config.signInLayout === 'single';
		const pending = pendingConsentFor(event, form.data.email, page);
		const ticked = pending?.keptBy === 'server';
		const marketing = ticked ? onPage(event, consentWordings.signUp) : null;
		const withCode = isSingle ? marketing : null;
		const entered = await enterCode(event, form, form.data.email, fields, withCode);
		if ('refused' in entered) return entered.refused;
		if (marketing && !isSingle) await tryToConsent(event, entered.verified.user.id, marketing);
		const location = destination(event.url, app.config.origin);
		const isForPage = isScripted(event) && CONSENT[page] === 'own-call';
		const forPage = pending?.keptBy === 'page' ? pending.id : '';
		redirect(303, isForPage ? withConsentMark(location, forPage) : location);
	}
});

/** The URL of this page without the action. Keeps the redirect target. */
const samePage = (event: RequestEvent, flag?: string): string => {
	const query = keepQuery(event, flag);
	return query === '' ? event.url.pathname : `${event.url.pathname}?${query}`;
};
