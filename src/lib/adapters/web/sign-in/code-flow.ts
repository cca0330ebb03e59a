import { redirect, fail, type RequestEvent } from '@sveltejs/kit';
import { superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { parseEmail } from '#lib/domain/email.ts';
import type { PendingCode } from '#lib/domain/sign-in/ports.ts';
import { isFreshlySignedIn } from '#lib/domain/sessions/session.ts';
import { signInLayouts, type SignInPage } from '#lib/sign-in-layouts.ts';
import { codeKeyOf, presentedKeyOfBrowser } from '../edge/client.ts';
import {
	consentAfterSignIn,
	consentWithCode,
	openConsentBox,
	readPostedTick,
	storePendingConsent,
	withConsentId
} from '../consent/consent-box.ts';
import {
	AGAIN_PARAMETER,
	destination,
	queryToKeep,
	REDIRECT_PARAMETER,
	samePage
} from '../http/paths.ts';
import type { CountedAction } from '../edge/limits/limits.ts';
import { postedFields } from '../http/form-body.ts';
import { setFlash } from '../http/flash.ts';
import { codeForm, codeRequestForm, emailForm } from './schemas.ts';
import { enterCodeFromForm, sendCodeFromForm } from './form-codes.ts';
import { webmailOf } from './webmail.ts';

/** Query parameter: the step that the person chose, `email` or `code`. */
const STEP_PARAMETER = 'step';
/** Query parameter: when another code was sent, in milliseconds. */
const RESENT_PARAMETER = 'resent';

/** What the page of another code adds to its URL. */
export const resentNow = ({ locals }: RequestEvent): [name: string, value: string] => [
	RESENT_PARAMETER,
	String(locals.app.clock.now().getTime())
];

/**
 * That parameter, for the URL of a form, if it is about this code. Otherwise empty: a later code, such as
 * for another email address, is a first one.
 */
export const resentQuery = ({ url }: RequestEvent, pending: PendingCode | null): string =>
	pending && pending.sentAt.getTime() <= Number(url.searchParams.get(RESENT_PARAMETER))
		? queryToKeep(url, [RESENT_PARAMETER])
		: '';

/** What every form and redirect of the page keeps in the URL. */
const KEPT_PARAMETERS = [REDIRECT_PARAMETER, AGAIN_PARAMETER];

/** A page compares these ids to find which of its forms was posted. */
export const FORM_IDS = { email: 'email', code: 'code', resend: 'resend' } as const;

/** Loads a sign-in page. It never sends a code; only a form post does. */
export const loadCodeFlow = (page: SignInPage) => async (event: RequestEvent) => {
	const { app } = event.locals;
	const { signIn, signUp } = signInLayouts[app.config.signInLayout];
	// A link to a page of the other layout leads to its counterpart.
	const here = page === 'sign-up' ? signUp : signIn;
	if (here !== event.url.pathname) redirect(303, here + event.url.search);
	const { application, userToConfirm } = await reasonToSignIn(event);
	const { pending, step, hasBegun } = await shownStep(event);
	const mayOffer = !hasBegun && !application?.email;
	const email = pending?.email ?? application?.email ?? userToConfirm?.email ?? '';
	const box = openConsentBox(event, email, page);
	const requestForm = await superValidate(
		{ email, consent: box.isTicked },
		zod4(codeRequestForm),
		withoutErrors(FORM_IDS.email)
	);
	const forms = await codeStepForms(email);
	return {
		page,
		/** The text of the consent box. Null without one. */
		consent: box.text,
		/** Id of the consent that may be pending for the code's email address, or null. */
		pendingConsent: box.pending?.id ?? null,
		step,
		pendingCode: pending && { ...pending, webmail: webmailOf(pending.email) },
		application: application?.name ?? null,
		/** The email address that last signed in in this browser. Null to offer none. */
		offered: mayOffer
			? (userToConfirm?.email ?? (await app.readLastEmail(presentedKeyOfBrowser(event))))
			: null,
		/** Whether the person is signed in, but not recently enough. */
		mustConfirm: userToConfirm !== null,
		createsAccounts: app.config.signUp === 'open',
		resent: resentQuery(event, pending),
		/** The query that keeps the target after sign-in. Add it to every action and link. */
		keptQuery: queryToKeep(event.url, KEPT_PARAMETERS),
		emailForm: requestForm,
		...forms
	};
};

/** What a sign-in is for: an application, or a user whose sign-in is too old. Otherwise redirects. */
const reasonToSignIn = async (event: RequestEvent) => {
	const { app, user, session } = event.locals;
	const target = destination(event.url, app.config.origin);
	const application = await applicationOf(event, target);
	const isFresh = session !== null && isFreshlySignedIn(session, app.clock.now(), app.policy);
	const userToConfirm = event.url.searchParams.has(AGAIN_PARAMETER) && !isFresh ? user : null;
	if (user !== null && application === null && userToConfirm === null) redirect(303, target);
	return { application, userToConfirm };
};

const shownStep = async (event: RequestEvent) => {
	const isPost = event.request.method === 'POST';
	const pending = await event.locals.app.readPendingCode(codeKeyOf(event));
	const chosen = event.url.searchParams.get(STEP_PARAMETER);
	// An email that bounced brings no code, so the person should look at its email address.
	const isCode = pending !== null && chosen !== 'email' && !pending.bounced;
	// A person who has begun to sign in gets no other email address offered.
	const hasBegun = pending !== null || chosen !== null || isPost;
	return { pending, step: isCode ? ('code' as const) : ('email' as const), hasBegun };
};

export const codeStepForms = async (email: string) => ({
	codeForm: await superValidate({ email }, zod4(codeForm), withoutErrors(FORM_IDS.code)),
	resendForm: await superValidate({ email }, zod4(emailForm), withoutErrors(FORM_IDS.resend))
});

const withoutErrors = (id: string) => ({ errors: false, id });

/**
 * The application that a person signs in to, unless this session is already enough for it. Reads the
 * session from the store, as the provider does. Otherwise this page and the provider could send the
 * browser to each other without end.
 */
const applicationOf = async (event: RequestEvent, target: string) => {
	const { app, ownCookies, user } = event.locals;
	const waiting = (await app.oidc?.pendingSignIn(target)) ?? null;
	if (waiting === null) return null;
	const token = user && ownCookies.get('sessionToken');
	const live = token && (await app.readSession({ token, mayRefresh: false }));
	if (live && waiting.isSatisfiedBy(live.session)) return null;
	event.locals.formRedirectOrigin = waiting.returnsTo;
	const hinted = parseEmail(waiting.loginHint ?? '', app.domainNames);
	return { name: waiting.application, email: hinted.ok ? hinted.value : null };
};

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
		const box = openConsentBox(event, email, page);
		form.data.consent = readPostedTick(event, box, fields);
		const refused = await sendCodeFromForm(event, form, email, fields, 'request');
		if (refused) return refused;
		storePendingConsent(event, box, form.data.consent);
		redirect(303, samePage(event.url, KEPT_PARAMETERS));
	},

	resend: async (event) => {
		const fields = await postedFields(event);
		// With the consent box: this form can become the email form, which shows it.
		const form = await superValidate(fields, zod4(codeRequestForm), { id: FORM_IDS.resend });
		if (!form.valid) return fail(400, { form });
		// Discards a tick for another email address or page.
		form.data.consent = openConsentBox(event, form.data.email, page).isTicked;
		const refused = await sendCodeFromForm(event, form, form.data.email, fields, 'resend');
		// Only the email form can correct the email address.
		if (form.errors.email) form.id = FORM_IDS.email;
		return refused ?? redirect(303, samePage(event.url, KEPT_PARAMETERS, [resentNow(event)]));
	},

	verify: async (event) => {
		const { app } = event.locals;
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(codeForm), { id: FORM_IDS.code });
		if (!form.valid) return fail(400, { form });
		const { email } = form.data;
		const box = openConsentBox(event, email, page);
		const entered = await enterCodeFromForm(event, form, email, consentWithCode(event, box));
		if (!entered.ok) return entered.error;
		const { created, user } = entered.value;
		// The other sign-in pages say beforehand that an account may be created. The message ends after 15
		// seconds, because the next page can be one of an application, and a later one of ours is too late.
		if (created && page === 'sign-in') setFlash(event, 'account-created', 15);
		await consentAfterSignIn(event, box, user.id);
		const location = destination(event.url, app.config.origin);
		redirect(303, withConsentId(event, box, location));
	}
});
