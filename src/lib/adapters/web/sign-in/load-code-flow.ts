import { redirect, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { pendingCode } from './pending-code.ts';
import { signInPagePath } from './sign-in-layout.ts';
import { codeForm, codeRequestForm, resendForm } from './schemas.ts';
import { addLimit } from '../edge/limits/limited-form.ts';
import { consentBox } from '../parts.ts';
import { destination, REDIRECT_PARAMETER } from '../http/safe-path.ts';
import type { SignInPage } from '#lib/sign-in-layouts.ts';

/** Query parameter: the person went back to change the email address. */
const STEP_PARAMETER = 'step';
/** Query parameter: another code has just been sent. */
export const RESENT_PARAMETER = 'resent';

/** A page compares these ids to find which of its forms was posted. */
export const FORM_IDS = { email: 'email', code: 'code', resend: 'resend' } as const;

/** Loads an entry page. It never sends a code; only a form post does. */
export const loadCodeFlow = (page: SignInPage) => async (event: RequestEvent) => {
	const { app, user } = event.locals;
	const here = signInPagePath(app.config.signInLayout, page);
	if (here !== event.url.pathname) redirect(303, here + event.url.search);
	if (user !== null) redirect(303, destination(event.url, app.config.origin));
	const pending = await pendingAfter(event);
	const email = pending?.email ?? '';
	const action = event.locals.limitedForm?.action ?? null;
	const box = consentBox?.show(event, email, page);
	const plain = { errors: false } as const;
	const wantsEmail = action === 'request' || event.url.searchParams.get(STEP_PARAMETER) === 'email';
	const step: 'email' | 'code' = pending === null || wantsEmail ? 'email' : 'code';
	const emailForm = await superValidate(
		{ email, consent: box?.isTicked ?? false },
		zod4(codeRequestForm),
		{ ...plain, id: FORM_IDS.email }
	);
	const codeEntry = await superValidate({ email }, zod4(codeForm), {
		...plain,
		id: FORM_IDS.code
	});
	const resend = await superValidate({ email }, zod4(resendForm), {
		...plain,
		id: FORM_IDS.resend
	});
	addLimit(event, step === 'email' ? emailForm : action === 'resend' ? resend : codeEntry);
	return {
		page,
		consent: box?.consent ?? null,
		pendingConsent: box?.pendingConsent ?? null,
		step,
		pendingCode: pending,
		resent: event.url.searchParams.has(RESENT_PARAMETER),
		keepQuery: keepQuery(event),
		emailForm,
		codeForm: codeEntry,
		resendForm: resend
	};
};

/**
 * The page of a form that a store fault refused shows this form without the pending code. Another
 * query would double the time until the response.
 */
const pendingAfter = async (event: RequestEvent) => {
	const isAfterFault = event.request.method === 'POST' && event.locals.isStoreDown;
	return isAfterFault ? null : pendingCode(event);
};

/** The query that keeps the redirect target. */
export const keepQuery = (event: RequestEvent, flag?: string): string => {
	const query = new URLSearchParams();
	const target = event.url.searchParams.get(REDIRECT_PARAMETER);
	if (target !== null) query.set(REDIRECT_PARAMETER, target);
	if (flag !== undefined) query.set(flag, '');
	return query.toString();
};
