import { redirect } from '@sveltejs/kit';
import { message, type SuperValidated } from 'sveltekit-superforms';
import { isSameEmail } from '#lib/domain/email.ts';
import type { ConsentChoice } from '#lib/domain/consent/ports.ts';
import { err, type Result } from '#lib/domain/errors.ts';
import type { Proofs, ProofScope, SendProof } from '#lib/domain/proof/ports.ts';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import { NO_NAME } from '#lib/domain/user.ts';
import { messages } from '#lib/messages/messages.ts';
import { formOutcome, refuseForNow, type RefusedForm } from '../http/form-error.ts';
import { codeKeyOf, proofScopeOf, codeClientOf, requestSourceOf } from '../edge/client.ts';
import type { CountedEvent } from '../edge/limits/limits.ts';
import { undoPath } from '#lib/emailed-paths.ts';
import { keepDeletedEmail } from '../account/deleted-account.ts';
import { DELETED_FLASH_LIFETIME_S, setFlash } from '../http/flash.ts';
import { setSessionCookies } from '../sessions/session-response.ts';
import { logEnteredCode, logOutcome } from '../http/log-event.ts';
import { discardConsent } from '../consent/consent-box.ts';

/** The proof of work that a posted form contains. Null if there is no valid one. */
const postedProof = async (
	proofs: Proofs,
	fields: FormData,
	scope: ProofScope
): Promise<SendProof | null> => {
	const answer = fields.get('proof');
	if (typeof answer !== 'string') return null;
	const read = await proofs.readAnswer(scope, answer);
	return read.ok ? read.value : null;
};

type CodeForm = SuperValidated<{ email?: string; code: string }>;

/**
 * Sends a code that is bound to this browser. Null: go on to the code step, whether a code was sent
 * now or a moment ago. Otherwise the form's error. `resend` refuses when one was sent a moment ago.
 */
export const sendCodeFromForm = async <T extends Record<string, unknown>>(
	event: CountedEvent<'send'>,
	form: SuperValidated<T>,
	email: string,
	fields: FormData,
	action: 'request' | 'resend'
): Promise<RefusedForm<T> | null> => {
	const { app } = event.locals;
	// Pages wait 30 seconds, so that a double post sends one email. The domain limits all clients.
	const pending = await app.readPendingCode(codeKeyOf(event));
	if (pending && pending.resendIn > 0 && isSameEmail(pending.email, email, app.domainNames)) {
		if (action === 'request') return null;
		const { resendIn: seconds } = pending;
		const { resendTooSoon, resendTooSoonNow: reason } = messages.errors;
		event.setHeaders({ 'retry-after': String(seconds) });
		return refuseForNow(form, resendTooSoon(seconds), { seconds, reason, endsOnEdit: true });
	}
	const scope = app.config.proofOfWork ? proofScopeOf(event, email) : null;
	const requested = await app.requestCode({
		email,
		purpose: 'sign_in',
		source: requestSourceOf(event),
		proof: scope && (await postedProof(app.proofs, fields, scope)),
		...codeClientOf(event)
	});
	logOutcome(event, 'code_requested', email, requested);
	if (requested.ok) return null;
	const { error } = requested;
	if (error.code !== 'proof_required' || !scope) return formOutcome(event, form, error);
	const demand: App.FormDemand = { puzzle: await app.proofs.puzzle(scope), wait: null };
	return message(form, demand, { status: 403 }) as RefusedForm<T>;
};

/**
 * Signs in with a code from a form. For a deleted account, redirects to the page that offers to
 * restore it. Any other error becomes the form's response.
 */
export const enterCodeFromForm = async (
	event: CountedEvent<'check'>,
	form: CodeForm,
	email: string,
	consent: ConsentChoice = {}
): Promise<Result<VerifiedCode, RefusedForm<CodeForm['data']>>> => {
	const { app, ownCookies } = event.locals;
	const readAt = app.monotonic();
	const verified = await app.verifyCode({
		email,
		code: form.data.code,
		...codeClientOf(event),
		profile: { ...consent, name: NO_NAME, image: null },
		source: requestSourceOf(event),
		currentToken: ownCookies.get('sessionToken'),
		ifDeleted: 'offer'
	});
	logEnteredCode(event, email, verified);
	if (verified.ok) {
		setSessionCookies(event, verified.value, readAt);
		return verified;
	}
	const { error } = verified;
	if (error.code === 'account_deleted' && error.restoreToken !== null) {
		discardConsent(event);
		ownCookies.set('restoreToken', error.restoreToken, app.policy.deletion.restoreGrant);
		setFlash(event, 'restore-offered', DELETED_FLASH_LIFETIME_S);
		keepDeletedEmail(event, email);
		redirect(303, '/auth/account-deleted');
	}
	if (error.code === 'address_reserved') redirect(303, undoPath(error.undoToken));
	return err(formOutcome(event, form, error));
};
