import { error, fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { maskEmail } from '#lib/domain/email.ts';
import type { Purchase } from '#lib/domain/purchases/ports.ts';
import type { User } from '#lib/domain/user.ts';
import { messages } from '#lib/messages/messages.ts';
import { enterCodeFromForm, sendCodeFromForm } from '../sign-in/form-codes.ts';
import { codeKeyOf } from '../edge/client.ts';
import { postedFields } from '../http/form-body.ts';
import { logEvent } from '../http/log-event.ts';
import { queryToKeep, samePage } from '../http/paths.ts';
import type { CountedAction } from '../edge/limits/limits.ts';
import { discardConsent } from '../consent/consent-box.ts';
import { requireUser } from '../edge/require-user.ts';
import { codeStepForms, FORM_IDS, resentNow, resentQuery } from '../sign-in/code-flow.ts';
import { hiddenCodeForm, hiddenResendForm } from '../sign-in/schemas.ts';

const REFERENCE_PARAMETER = 'reference';
const KEPT_PARAMETERS = [REFERENCE_PARAMETER];

/** The purchase that the URL names. An unknown reference is a 404. */
const purchaseOf = async (event: RequestEvent): Promise<Purchase> => {
	const reference = event.url.searchParams.get(REFERENCE_PARAMETER) ?? '';
	const purchase = await event.locals.app.readPurchase(reference);
	const { unknown, unknownText } = messages.checkout;
	if (purchase === null) error(404, unknown, { advice: unknownText });
	return purchase;
};

const claimFor = async (
	event: RequestEvent,
	{ id, reference }: Purchase,
	user: User
): Promise<void> => {
	const claimed = await event.locals.app.claimPurchase(reference, user);
	logEvent(event, 'purchase_claimed', { purchase: id, outcome: claimed ? 'ok' : 'refused' });
};

export const loadCheckout = async (event: RequestEvent) => {
	const purchase = await purchaseOf(event);
	const { app, user } = event.locals;
	const isBuyer = user?.email === purchase.email;
	// A person with the link may not be its owner.
	const boughtWith = isBuyer ? purchase.email : maskEmail(purchase.email);
	const pending = await app.readPendingCode(codeKeyOf(event));
	const isPending = pending?.email === purchase.email;
	const bounced = isPending && pending.bounced;
	const step = (): 'done' | 'taken' | 'claim' | 'send' | 'code' => {
		if (user !== null && purchase.userId === user.id) return 'done';
		// Whether the purchase is claimed reveals whether the email address has an account. Only its
		// owner may see that.
		if (!isBuyer) return isPending && !bounced ? 'code' : 'send';
		return purchase.userId === null ? 'claim' : 'taken';
	};
	const forms = await codeStepForms('');
	return {
		product: purchase.product,
		boughtWith,
		step: step(),
		bounced,
		pendingCode: isPending ? { ...pending, email: boughtWith } : null,
		createsAccounts: app.config.signUp === 'open',
		resent: resentQuery(event, pending),
		keptQuery: queryToKeep(event.url, KEPT_PARAMETERS),
		...forms
	};
};

// The email address comes from the purchase, never from the posted form, and no form of the response
// contains it. This page has no consent box: a code that is sent or entered here gives no consent of
// another page.
const sendAction =
	(action: 'request' | 'resend'): CountedAction<'send'> =>
	async (event) => {
		const { email } = await purchaseOf(event);
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(hiddenResendForm), { id: FORM_IDS.resend });
		discardConsent(event);
		const refused = await sendCodeFromForm(event, form, email, fields, action);
		const added = action === 'request' ? [] : [resentNow(event)];
		return refused ?? redirect(303, samePage(event.url, KEPT_PARAMETERS, added));
	};

const verify: CountedAction<'check'> = async (event) => {
	const purchase = await purchaseOf(event);
	const fields = await postedFields(event);
	const form = await superValidate(fields, zod4(hiddenCodeForm), { id: FORM_IDS.code });
	if (!form.valid) return fail(400, { form });
	discardConsent(event);
	const entered = await enterCodeFromForm(event, form, purchase.email);
	if (!entered.ok) return entered.error;
	await claimFor(event, purchase, entered.value.user);
	redirect(303, samePage(event.url, KEPT_PARAMETERS));
};

/** Claims the purchase if the visitor is signed in with its email address. */
const claim: Action = async (event) => {
	const purchase = await purchaseOf(event);
	await claimFor(event, purchase, requireUser(event));
	redirect(303, samePage(event.url, KEPT_PARAMETERS));
};

export const checkoutActions = {
	request: sendAction('request'),
	resend: sendAction('resend'),
	verify,
	claim
};
