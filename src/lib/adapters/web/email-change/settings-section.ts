import { fail, redirect, type Action, type RequestEvent } from '@sveltejs/kit';
import { message, superValidate } from 'sveltekit-superforms';
import { zod4 } from 'sveltekit-superforms/adapters';
import { isSameEmail } from '#lib/domain/email.ts';
import { requestChange } from './request.ts';
import { messages } from '#lib/messages/messages.ts';
import { formOutcome } from '../http/form-error.ts';
import { postedFields } from '../http/form-body.ts';
import { requireSession, requireUser } from '../edge/require-user.ts';
import type { CountedAction } from '../edge/limits/limits.ts';
import { z } from 'zod';
import { emailForm } from '../sign-in/schemas.ts';
import { settingsAfter } from '../http/flash.ts';

const FORM_ID = 'new-email';

/** A new email address, and the code from the current one if that is required. */
const newEmailForm = emailForm.extend({ code: z.string().max(512).default('') });

export const loadEmail = async (event: RequestEvent) => {
	const { app } = event.locals;
	const { user, session } = requireSession(event);
	const pending = await app.readEmailChange(user);
	const reauthentication = app.mustReauthenticate(session);
	return {
		email: user.email,
		/** Whether this installation allows email changes here. */
		links: app.config.emailChange.link,
		/** Whether this session must first enter a code from the current email address. */
		reauthentication,
		reauthenticationCode: reauthentication ? await app.readReauthenticationCode(session) : null,
		waiting: pending && { to: pending.to, way: pending.way, expiresAt: pending.expiresAt },
		form: await superValidate({ email: '' }, zod4(newEmailForm), { id: FORM_ID, errors: false })
	};
};

/** Requests the email change of the form, with the code of its field or without one. */
const requestAction =
	(takesCode: boolean): CountedAction<'send'> =>
	async (event) => {
		const fields = await postedFields(event);
		const form = await superValidate(fields, zod4(newEmailForm), { id: FORM_ID });
		if (!form.valid) return fail(400, { form });
		if (!takesCode) form.data.code = '';
		const newEmail = form.data.email;
		const { app } = event.locals;
		const pending = await app.readEmailChange(requireUser(event));
		const isAgain = pending !== null && isSameEmail(pending.to, newEmail, app.domainNames);
		const byCode = isAgain && pending.way === 'code';
		const requested = await requestChange(event, newEmail, form.data.code || null, (request) =>
			byCode ? app.requestEmailChange(request) : app.requestEmailChangeByLink(request, null)
		);
		if (requested.ok) redirect(303, settingsAfter(event, isAgain ? 'sent-again' : 'link-sent'));
		const { error } = requested;
		if (error.code !== 'session_not_fresh') return formOutcome(event, form, error);
		// Not an error: the form continues with the code.
		const { text } = messages.code.states[takesCode ? 'sent' : 'resent'];
		return message(form, text, { status: 403 });
	};

export const requestEmailChange = requestAction(true);
/** Sends another code to the current email address, whatever its field contains. */
export const resendEmailChange = requestAction(false);

export const cancelEmailChange: Action = async (event) => {
	await event.locals.app.cancelEmailChange(requireUser(event).id);
	redirect(303, settingsAfter(event, 'change-cancelled'));
};
