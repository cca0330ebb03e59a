import { redirect, type ActionFailure, type RequestEvent } from '@sveltejs/kit';
import { setError, type SuperValidated } from 'sveltekit-superforms';
import type { ConsentOccasion } from '#lib/domain/consent/consent-record.ts';
import { NO_NAME } from '#lib/domain/account/name.ts';
import { newBrowserKey } from '#lib/domain/secret.ts';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import { messages } from '#lib/messages/messages.ts';
import { formCaller, formClient, senderOf } from '../devices/caller.ts';
import { deviceOf } from '../sessions/credential.ts';
import type { CountedEvent } from '../limits/counted-event.ts';
import { postedProof, proofOutcome, refuseEarly } from '../proof/form-proof.ts';
import { proofScope } from '../proof/proof-client.ts';
import { inboxOf } from './webmail.ts';
import { openSession } from '../sessions/session-response.ts';
import { logOutcome } from '../pipeline/log-event.ts';
import { discardPendingConsent } from '../consent/pending-consent.ts';
import type { PendingCodeView } from '#lib/view/sign-in.ts';

/** The pending code of this browser, as a page shows it. Null if there is none. */
export const pendingCode = async (event: RequestEvent): Promise<PendingCodeView | null> => {
	const { app, authCookies } = event.locals;
	const browser = authCookies.browserKey();
	const pending = browser && (await app.readPendingCode(browser));
	if (pending === null) return null;
	const { email, state, attemptsLeft, attempts, expiresAt, resendAt } = pending;
	const now = app.clock.now();
	const secondsUntil = (instant: Date): number =>
		Math.max(0, Math.ceil((instant.getTime() - now.getTime()) / 1000));
	return {
		email,
		inbox: inboxOf(email),
		state,
		attemptsLeft,
		attempts,
		secondsLeft: secondsUntil(expiresAt),
		resendIn: secondsUntil(resendAt)
	};
};

/** Sends a code that is bound to this browser. Returns the form's error response if that failed. */
export const sendCode = async <T extends { email: string }>(
	event: CountedEvent<'send'>,
	form: SuperValidated<T>,
	email: string,
	fields: FormData
): Promise<ActionFailure<{ form: SuperValidated<T> }> | null> => {
	const { app, authCookies } = event.locals;
	const scope = proofScope(event, 'send', email);
	const posted = await postedProof(event, fields, scope);
	if ('seconds' in posted) return refuseEarly(event, form, fields, scope, posted);
	const browser = authCookies.browserKey() ?? newBrowserKey(app.random);
	const device = deviceOf(event);
	const requested = await app.requestCode({
		email,
		purpose: 'sign_in',
		browser,
		device,
		sender: senderOf(event, posted.proof),
		...formCaller(event)
	});
	logOutcome(event, 'code_requested', email, requested);
	if (!requested.ok) return proofOutcome(event, form, requested.error, scope);
	authCookies.setBrowserKey(browser);
	return null;
};

/** Sends another code, unless the cooldown has not passed. */
export const resendCode = async (
	event: CountedEvent<'send'>,
	form: SuperValidated<{ email: string }>,
	email: string,
	fields: FormData
): Promise<ActionFailure<{ form: SuperValidated<{ email: string }> }> | null> => {
	const pending = await pendingCode(event);
	const wait = pending?.email === email ? pending.resendIn : 0;
	if (wait === 0) return sendCode(event, form, email, fields);
	event.setHeaders({ 'retry-after': String(wait) });
	return setError(form, '', messages.errors.resendTooSoon(wait), { status: 429 });
};

/**
 * Signs in with a code from a form. For a deleted account, redirects to the page that offers to
 * restore it. Any other error becomes the form's response.
 */
export const enterCode = async (
	event: CountedEvent<'check'>,
	form: SuperValidated<{ email: string; code: string }>,
	email: string,
	fields: FormData,
	marketing: ConsentOccasion | null = null
): Promise<
	| { refused: ActionFailure<{ form: SuperValidated<{ email: string; code: string }> }> }
	| { verified: VerifiedCode }
> => {
	const { app, authCookies } = event.locals;
	const scope = proofScope(event, 'check', email);
	const posted = await postedProof(event, fields, scope);
	if ('seconds' in posted) return { refused: refuseEarly(event, form, fields, scope, posted) };
	const tick = app.monotonic();
	const verified = await app.verifyCode({
		email,
		code: form.data.code,
		...formClient(event, posted.proof),
		profile: { name: NO_NAME, image: null, marketing },
		device: deviceOf(event),
		currentToken: authCookies.sessionToken(),
		ifDeleted: 'offer'
	});
	logOutcome(event, 'code_entered', email, verified);
	if (verified.ok) {
		openSession(event, verified.value, tick);
		return { verified: verified.value };
	}
	const { error } = verified;
	if (error.code === 'account_deleted' && error.restoreToken !== null) {
		discardPendingConsent(event);
		authCookies.setRestoreToken(error.restoreToken, app.policy.deletion.restoreGrant);
		redirect(303, '/auth/account-deleted');
	}
	return { refused: await proofOutcome(event, form, error, scope) };
};
