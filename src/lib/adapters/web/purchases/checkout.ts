import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { superValidate, type SuperValidated } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { maskEmail } from '#lib/domain/email.ts';
import { enterCodeFromForm, sendCodeFromForm } from '../sign-in/code-actions.ts';
import { codeBrowserOf } from '../edge/caller.ts';
import { postedFields } from '../http/form-body.ts';
import { addLimit } from '../edge/check-limits.ts';
import type { CountedAction } from '../edge/limits/client-limits.ts';
import { discardConsent } from '../consent/consent-box.ts';
import { requireUser } from '../edge/require-user.ts';
import { codeForm, resendForm } from '../sign-in/schemas.ts';
import { claimFor, purchaseOf, REFERENCE_PARAMETER } from './purchases.ts';

const RESENT_PARAMETER = 'resent';
const FORM_IDS = { send: 'send', code: 'code', resend: 'resend' } as const;

export const loadCheckout = async (event: RequestEvent) => {
	const purchase = await purchaseOf(event);
	const { app, user } = event.locals;
	// A person with the link may not be its owner.
	const boughtWith = maskEmail(purchase.email);
	const pending = await app.readPendingCode(codeBrowserOf(event));
	const isPending = pending?.email === purchase.email;
	/** What the visitor can do with the purchase now. */
	const step = (): 'done' | 'taken' | 'claim' | 'send' | 'code' => {
		if (user !== null && purchase.userId === user.id) return 'done';
		// Whether the purchase is claimed reveals whether the email address has an account. Only its
		// owner may see that.
		if (user?.email !== purchase.email) return isPending ? 'code' : 'send';
		return purchase.userId === null ? 'claim' : 'taken';
	};
	const empty = { email: '', code: '' };
	const plain = { errors: false } as const;
	const forms = {
		send: await superValidate(empty, zod4(resendForm), { ...plain, id: FORM_IDS.send }),
		code: await superValidate(empty, zod4(codeForm), { ...plain, id: FORM_IDS.code }),
		resend: await superValidate(empty, zod4(resendForm), { ...plain, id: FORM_IDS.resend })
	};
	const shown = step();
	const entered = event.locals.limitedForm?.action === 'resend' ? forms.resend : forms.code;
	addLimit(event, shown === 'send' ? forms.send : entered);
	return {
		product: purchase.product,
		boughtWith,
		step: shown,
		pendingCode: isPending ? { ...pending, email: boughtWith } : null,
		resent: event.url.searchParams.has(RESENT_PARAMETER),
		keepQuery: keepQuery(event),
		sendForm: forms.send,
		codeForm: forms.code,
		resendForm: forms.resend
	};
};

// This page has no consent box: a code that is sent or entered here gives no consent of another page.
const sending =
	(action: 'request' | 'resend'): CountedAction<'send'> =>
	async (event) => {
		const { email } = await purchaseOf(event);
		const fields = await fieldsWith(event, email);
		const isFirst = action === 'request';
		const id = isFirst ? FORM_IDS.send : FORM_IDS.resend;
		const form = await superValidate(fields, zod4(resendForm), { id });
		discardConsent(event);
		const refused = await sendCodeFromForm(event, hidden(form), email, fields, action);
		return refused ?? redirect(303, samePage(event, isFirst ? undefined : RESENT_PARAMETER));
	};

const verify: CountedAction<'check'> = async (event) => {
	const purchase = await purchaseOf(event);
	const fields = await fieldsWith(event, purchase.email);
	const form = hidden(await superValidate(fields, zod4(codeForm), { id: FORM_IDS.code }));
	if (!form.valid) return fail(400, { form });
	discardConsent(event);
	const entered = await enterCodeFromForm(event, form, purchase.email);
	if ('refused' in entered) return entered.refused;
	await claimFor(event, purchase, entered.verified.user);
	redirect(303, samePage(event));
};

/** Claims the purchase if the visitor is signed in with its email address. */
const claim: Action = async (event) => {
	const purchase = await purchaseOf(event);
	await claimFor(event, purchase, requireUser(event));
	redirect(303, samePage(event));
};

export const checkoutActions = {
	request: sending('request'),
	resend: sending('resend'),
	verify,
	claim
};

/** The email address always comes from the purchase, never from the posted form. */
const fieldsWith = async (event: RequestEvent, email: string): Promise<FormData> => {
	const fields = await postedFields(event);
	fields.set('email', email);
	return fields;
};

/** The response must not contain the email address either. */
const hidden = <T extends { email: string }>(form: SuperValidated<T>): SuperValidated<T> => {
	form.data.email = '';
	return form;
};

const samePage = (event: RequestEvent, flag?: string): string =>
	`${event.url.pathname}?${keepQuery(event, flag)}`;

const keepQuery = (event: RequestEvent, flag?: string): string => {
	const reference = event.url.searchParams.get(REFERENCE_PARAMETER) ?? '';
	const query = new URLSearchParams({ [REFERENCE_PARAMETER]: reference });
	if (flag !== undefined) query.set(flag, '');
	return query.toString();
};
