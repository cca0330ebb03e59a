import { fail, redirect, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { enterCode, resendCode, sendCode } from './code-actions.ts';
import type { CountedAction } from '../edge/limits/counted-event.ts';
import { postedFields } from '../http/posted-form.ts';
import { destination } from '../http/safe-path.ts';
import { codeForm, codeRequestForm, resendForm } from './schemas.ts';
import { consentBox } from '../parts.ts';
import { leaveNotice } from '../http/notice.ts';
import { FORM_IDS, keepQuery, RESENT_PARAMETER } from './load-code-flow.ts';
import type { SignInPage } from '#lib/sign-in-layouts.ts';

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
		const box = consentBox?.posted(event, email, page, fields);
		form.data.consent = box?.isTicked ?? false;
		const refused = await sendCode(event, form, email, fields);
		if (refused) return refused;
		box?.codeSent();
		redirect(303, samePage(event));
	},

	resend: async (event) => {
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(resendForm), { id: FORM_IDS.resend });
		if (!form.valid) return fail(400, { form });
		consentBox?.resent(event, form.data.email, page);
		const refused = await resendCode(event, form, form.data.email, fields);
		return refused ?? redirect(303, samePage(event, RESENT_PARAMETER));
	},

	verify: async (event) => {
		const { app } = event.locals;
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(codeForm), { id: FORM_IDS.code });
		if (!form.valid) return fail(400, { form });
		const box = consentBox?.atCode(event, form.data.email, page);
		const entered = await enterCode(event, form, form.data.email, box?.answers);
		if ('refused' in entered) return entered.refused;
		const { created, user } = entered.verified;
		// On the other entry pages, a new account is no surprise.
		if (created && page === 'sign-in') leaveNotice(event, 'account-created');
		await box?.signedIn(user.id);
		const location = destination(event.url, app.config.origin);
		redirect(303, box?.locationFor(location) ?? location);
	}
});

/** The URL of this page without the action. Keeps the redirect target. */
const samePage = (event: RequestEvent, flag?: string): string => {
	const query = keepQuery(event, flag);
	return query === '' ? event.url.pathname : `${event.url.pathname}?${query}`;
};
