import { fail, redirect, type Action, type ActionFailure, type RequestEvent } from '@sveltejs/kit';
import { message, superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { isFreshlySignedIn } from '#lib/domain/sessions/session.ts';
import type { PendingEmailChange } from '#lib/domain/email-change/read-email-change.ts';
import type { RequestEmailChangeError } from '#lib/domain/email-change/request-email-change.ts';
import { requestChange } from './request.ts';
import { messages } from '#lib/messages/messages.ts';
import { postedProof, proofOutcome, refuseEarly } from '../proof/form-proof.ts';
import { proofScope } from '../proof/proof-client.ts';
import { takeText } from '../forms/kept-text.ts';
import { postedFields } from '../forms/posted-form.ts';
import { requireSession, requireUser } from '../sessions/require-user.ts';
import type { CountedAction, CountedEvent } from '../limits/counted-event.ts';
import { newEmailForm } from '../forms/schemas.ts';
import { settingsAfter } from '../settings/done.ts';
import type { EmailSettings, WaitingChange } from '#lib/view/email-change.ts';

const FORM_ID = 'new-email';

export const loadEmail = async (event: RequestEvent): Promise<EmailSettings> => {
	const { app } = event.locals;
	const { user, session } = requireSession(event);
	const now = app.clock.now();
	const { emailChange, supportEmail } = app.config;
	const pending = await app.readEmailChange(user);
	const kept = takeText(event, 'email');
	return {
		email: user.email,
		links: emailChange.link,
		reauthentication: emailChange.reauthentication && !isFreshlySignedIn(session, now, app.policy),
		freshMinutes: app.policy.emailChange.freshFor / 60,
		supportEmail,
		waiting: pending && waitingChange(pending, now),
		isKept: kept !== null,
		form: await superValidate({ email: kept ?? '' }, zod4(newEmailForm), {
			id: FORM_ID,
			errors: false
		})
	};
};

export const request: CountedAction<'send'> = async (event) => {
	const fields = await postedFields(event);
	const form = await superValidate(fields, zod4(newEmailForm), { id: FORM_ID });
	if (!form.valid) return fail(400, { form });
	return submitChange(event, form, fields, form.data.code === '' ? undefined : form.data.code);
};

/** Sends another code to the current email address, whatever its field contains. */
export const resendProof: CountedAction<'send'> = async (event) => {
	const fields = await postedFields(event);
	const form = await superValidate(fields, zod4(newEmailForm), { id: FORM_ID });
	if (!form.valid) return fail(400, { form });
	form.data.code = '';
	return submitChange(event, form, fields, undefined);
};

type NewEmailForm = EmailSettings['form'];

const submitChange = async (
	event: CountedEvent<'send'>,
	form: NewEmailForm,
	fields: FormData,
	code: string | undefined
): Promise<{ form: NewEmailForm } | ActionFailure<{ form: NewEmailForm }>> => {
	const newEmail = form.data.email;
	const scope = proofScope(event, 'send', newEmail);
	const posted = await postedProof(event, fields, scope);
	if ('seconds' in posted) return refuseEarly(event, form, fields, scope, posted);
	const requested = await requestChange(event, {
		newEmail,
		way: 'link',
		callbackUrl: null,
		proof: code,
		sendProof: posted.proof
	});
	if (!requested.ok) {
		const { error } = requested;
		if (error.code !== 'session_not_fresh')
			return proofOutcome(event, form, error, scope, posted, withoutAdvice(error));
		// Not an error: the form continues with the code.
		const text = messages.emailChange.proofSent(requireUser(event).email);
		return message(form, text, { status: 403 });
	}
	redirect(303, settingsAfter(event, 'link'));
};

/**
 * An unknown client is advised to sign in where somebody signed in before. That does not help with
 * an email to a new email address.
 */
const withoutAdvice = (error: RequestEmailChangeError): RequestEmailChangeError => {
	if (error.code === 'too_many_sends') return { ...error, level: null };
	return error.code === 'over_budget' ? { ...error, isKnown: true } : error;
};

export const cancelChange: Action = async (event) => {
	await event.locals.app.cancelEmailChange(requireUser(event).id);
	redirect(303, settingsAfter(event, 'cancelled'));
};

const waitingChange = ({ to, way, expiresAt }: PendingEmailChange, now: Date): WaitingChange => ({
	to,
	way,
	minutesLeft: Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 60_000))
});
