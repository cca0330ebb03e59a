import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { respondsStatus, respondsSuccess, takes, type Operation } from '../api/operation.ts';
import { CODE_ERRORS, exampleCode, LIMITED_CODE_ERRORS, otp, SEND_ERRORS } from '../api/fields.ts';

const { code, emailChange, session, throttle } = defaultPolicy;
const REQUEST_ERRORS = [...SEND_ERRORS, 'same_email', 'session_not_fresh', ...CODE_ERRORS] as const;
const newEmail = 'ada.lovelace@example.com';
const ALIKE = `The response is the same whether the new email address is free or taken; a taken one gets no email. Its emails count like codes: at most ${throttle.sends} for a mailbox in any ${throttle.window / 60} minutes.`;
const FRESH = `The change belongs to the session that requested it, and is cancelled when that session ends. With \`EMAIL_CHANGE_REPROOF=on\`, a session that signed in more than ${session.freshFor / 60} minutes ago gets SESSION_NOT_FRESH and a code at the current email address. Repeat the call with that code as \`otp\`.`;

const newEmailField = z
	.string()
	.describe('The new email address, in the same format as `email` in other calls.');

const LONGEST_CALLBACK = 512;

const currentCode = otp
	.optional()
	.describe(
		`The code that was sent to the current email address with SESSION_NOT_FRESH. Required only after that answer.`
	);
const newEmailBody = z.object({ newEmail: newEmailField, otp: currentCode });
const changeByLinkBody = newEmailBody.extend({
	// Bounded, because it becomes part of an email that the recipient did not request.
	callbackURL: z
		.string()
		.max(LONGEST_CALLBACK)
		.optional()
		.describe(
			'Where the browser goes after the change is confirmed: a path of this site, with one leading slash, or a URL of a trusted origin.'
		)
});
const changeByCodeBody = z.object({ newEmail: newEmailField, otp });

export const requestEmailChange = {
	method: 'POST',
	path: '/api/auth/email-otp/request-email-change',
	summary: 'Request an email change by code',
	description: `Sends a code to the new email address. The code is valid for ${code.lifetime / 60} minutes. ${FRESH} ${ALIKE}`,
	session: 'required',
	limit: 'send',
	body: takes(newEmailBody, { newEmail }),
	response: respondsSuccess('The code was sent, unless another account has the email address.'),
	errors: REQUEST_ERRORS
} as const satisfies Operation;

export const changeEmailByCode = {
	method: 'POST',
	path: '/api/auth/email-otp/change-email',
	summary: 'Change the email address with a code',
	description:
		'Moves the account to the new email address. This session continues, all other sessions end, and codes for the old email address become invalid.',
	session: 'required',
	limit: 'check',
	body: takes(changeByCodeBody, { newEmail, otp: exampleCode }),
	response: respondsSuccess('The email address is changed.'),
	errors: ['invalid_email', 'email_taken', ...LIMITED_CODE_ERRORS]
} as const satisfies Operation;

export const requestEmailChangeByLink = {
	method: 'POST',
	path: '/api/auth/change-email',
	summary: 'Request an email change by link',
	description: `Sends a link to the new email address. The link is valid for ${emailChange.linkLifetime / 60} minutes. It opens a page that shows both email addresses and asks the person to confirm, in any session of the account. ${FRESH} ${ALIKE}`,
	session: 'required',
	limit: 'send',
	body: takes(changeByLinkBody, { newEmail, callbackURL: '/settings' }),
	response: respondsStatus('The link was sent, unless another account has the email address.'),
	errors: ['links_off', ...REQUEST_ERRORS]
} as const satisfies Operation;

export const openChangeLink = {
	method: 'GET',
	path: '/api/auth/verify-email',
	summary: 'Open an email change link',
	description:
		'Redirects the browser to the page that confirms an email change. The call itself changes nothing and reveals nothing about the link.',
	session: 'unused',
	urlHoldsToken: true,
	query: z.object({
		token: z.string().optional().describe('The secret of the link.'),
		callbackURL: z
			.string()
			.optional()
			.describe('Where to go after the change: a path of this site or a URL of a trusted origin.')
	}),
	response: {
		description: 'A redirect to the page that confirms the change.',
		headers: { Location: z.string().describe('The page.') }
	}
} as const satisfies Operation;

export const emailChangeOperations = {
	requestEmailChange,
	changeEmailByCode,
	requestEmailChangeByLink,
	openChangeLink
};
