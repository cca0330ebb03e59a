import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { setError, superValidate, type SuperValidated } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { newBrowserKey } from '#lib/domain/secret.ts';
import type { PendingCode } from '#lib/domain/use-cases/read-pending-code.ts';
import { messages } from '#lib/messages/messages.ts';
import { deviceOf } from './device.ts';
import { openSession } from './open-session.ts';
import { recordOutcome } from './record.ts';
import { formOutcome } from './form-outcome.ts';
import { postedCode, postedEmail } from './posted-form.ts';
import { destination, REDIRECT_PARAMETER } from './safe-path.ts';
import { codeForm, emailForm } from './schemas.ts';

/** Says that a person came back from the code to the address; in the query of the page. */
export const STEP_PARAMETER = 'step';
/** Says that another code has just been sent. */
export const RESENT_PARAMETER = 'resent';

/** The code a page waits for, with spans instead of instants: a visitor's clock may be wrong. */
export interface WaitingCode {
	readonly email: string;
	readonly state: PendingCode['state'];
	readonly attemptsLeft: number;
	readonly attempts: number;
	/** Whole seconds the code still lives. */
	readonly secondsLeft: number;
	/** Whole seconds until another one may be asked for. */
	readonly resendIn: number;
}

export interface CodeFlow {
	readonly step: 'email' | 'code';
	readonly waiting: WaitingCode | null;
	readonly resent: boolean;
	/** The query that keeps where the person was going; to be added to every action and link. */
	readonly keepQuery: string;
	readonly emailForm: SuperValidated<{ email: string }>;
	readonly codeForm: SuperValidated<{ email: string; code: string }>;
	readonly resendForm: SuperValidated<{ email: string }>;
}

/** The ids tell a page which of its forms was posted. */
const FORM_IDS = { email: 'email', code: 'code', resend: 'resend' } as const;

/** What both entry pages show. Nothing is sent here: that takes a form. */
export const loadCodeFlow = async (event: RequestEvent): Promise<CodeFlow> => {
	const { app, authCookies, user } = event.locals;
	if (user !== null) redirect(303, destination(event.url, app.config.origin));
	const browser = authCookies.browserKey();
	const pending = browser && (await app.readPendingCode(browser));
	const waiting = pending && waitingCode(pending, app.clock.now());
	const email = waiting?.email ?? '';
	const wantsEmail = event.url.searchParams.get(STEP_PARAMETER) === 'email';
	const plain = { errors: false } as const;
	return {
		step: waiting === null || wantsEmail ? 'email' : 'code',
		waiting,
		resent: event.url.searchParams.has(RESENT_PARAMETER),
		keepQuery: keepQuery(event),
		emailForm: await superValidate({ email }, zod4(emailForm), { ...plain, id: FORM_IDS.email }),
		codeForm: await superValidate({ email }, zod4(codeForm), { ...plain, id: FORM_IDS.code }),
		resendForm: await superValidate({ email }, zod4(emailForm), { ...plain, id: FORM_IDS.resend })
	};
};

const request: Action = async (event) => {
	const form = await postedEmail(event, FORM_IDS.email);
	if (!form.valid) return fail(400, { form });
	const refused = await sendCode(event, form);
	return refused ?? redirect(303, samePage(event));
};

const resend: Action = async (event) => {
	const { app, authCookies } = event.locals;
	const form = await postedEmail(event, FORM_IDS.resend);
	if (!form.valid) return fail(400, { form });
	const browser = authCookies.browserKey();
	const pending = browser && (await app.readPendingCode(browser));
	const wait =
		pending?.email === form.data.email ? secondsUntil(pending.resendAt, app.clock.now()) : 0;
	if (wait > 0) {
		event.setHeaders({ 'retry-after': String(wait) });
		return setError(form, '', messages.errors.resendTooSoon(wait), { status: 429 });
	}
	const refused = await sendCode(event, form);
	return refused ?? redirect(303, samePage(event, RESENT_PARAMETER));
};

const verify: Action = async (event) => {
	const { app, authCookies } = event.locals;
	const form = await postedCode(event, FORM_IDS.code);
	if (!form.valid) return fail(400, { form });
	const verified = await app.verifyCode({
		...form.data,
		browser: authCookies.browserKey(),
		profile: { name: '', image: null },
		device: deviceOf(event),
		currentToken: authCookies.sessionToken()
	});
	recordOutcome(event, 'code_entered', form.data.email, verified);
	if (!verified.ok) return formOutcome(event, form, verified.error);
	openSession(event, verified.value);
	redirect(303, destination(event.url, app.config.origin));
};

/** The actions of both entry pages: signing up and signing in are the same flow. */
export const codeFlowActions = { request, resend, verify };

/** Sends a code bound to this browser; the form's answer when that did not work. */
const sendCode = async (
	event: RequestEvent,
	form: SuperValidated<{ email: string }>
): Promise<ReturnType<typeof formOutcome> | null> => {
	const { app, authCookies } = event.locals;
	const browser = authCookies.browserKey() ?? newBrowserKey(app.random);
	const { email } = form.data;
	const requested = await app.requestCode({ email, browser });
	recordOutcome(event, 'code_requested', email, requested);
	if (!requested.ok) return formOutcome(event, form, requested.error);
	authCookies.setBrowserKey(browser);
	return null;
};

const waitingCode = (pending: PendingCode, now: Date): WaitingCode => ({
	email: pending.email,
	state: pending.state,
	attemptsLeft: pending.attemptsLeft,
	attempts: pending.attempts,
	secondsLeft: secondsUntil(pending.expiresAt, now),
	resendIn: secondsUntil(pending.resendAt, now)
});

const secondsUntil = (instant: Date, now: Date): number =>
	Math.max(0, Math.ceil((instant.getTime() - now.getTime()) / 1000));

const samePage = (event: RequestEvent, flag?: string): string => {
	const query = keepQuery(event, flag);
	return query === '' ? event.url.pathname : `${event.url.pathname}?${query}`;
};

const keepQuery = (event: RequestEvent, flag?: string): string => {
	const query = new URLSearchParams();
	const target = event.url.searchParams.get(REDIRECT_PARAMETER);
	if (target !== null) query.set(REDIRECT_PARAMETER, target);
	if (flag !== undefined) query.set(flag, '');
	return query.toString();
};
