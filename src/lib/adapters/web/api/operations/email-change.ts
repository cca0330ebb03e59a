import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { changeByCodeBody, changeByLinkBody, newEmailBody } from '../bodies.ts';
import { exampleCode } from '../examples.ts';
import { gives, redirects, takes, type Operation } from '../operation.ts';
import { statusShape, successShape } from '../shapes.ts';

const { code, emailChange, throttle } = defaultPolicy;
const REQUEST_ERRORS = [
	'invalid_email',
	'same_email',
	'too_many_sends',
	'session_not_fresh',
	'delivery_failed',
	'mail_busy'
] as const;
const CODE_ERRORS = ['invalid_code', 'expired_code', 'too_many_attempts'] as const;
const newEmail = 'ada.lovelace@example.com';
const ALIKE = `The answer is the same whether the new address is free or taken; a taken one gets no email. An address is sent at most ${throttle.sends} emails of this kind in any ${throttle.window / 60} minutes.`;
const FRESH = `The change belongs to the session that requested it, and is void as soon as that session ends. A session that signed in more than ${emailChange.freshFor / 60} minutes ago gets SESSION_NOT_FRESH first, and a code is emailed to the current address: repeat the call with it as \`otp\`. The code is good for this session and this new address only.`;

export const requestEmailChange = {
	id: 'requestEmailChange',
	method: 'POST',
	path: '/api/auth/email-otp/request-email-change',
	tag: 'Email change',
	summary: 'Ask for a change of address by code',
	description: `Emails a code to the new address, good for ${code.lifetime / 60} minutes. ${FRESH} ${ALIKE}`,
	session: 'required',
	body: takes(newEmailBody, { newEmail }),
	answer: gives('The code is on its way, if the address can be used.', successShape, {
		success: true
	}),
	errors: [...REQUEST_ERRORS, ...CODE_ERRORS]
} as const satisfies Operation;

export const changeEmailByCode = {
	id: 'changeEmailByCode',
	method: 'POST',
	path: '/api/auth/email-otp/change-email',
	tag: 'Email change',
	summary: 'Change the address with a code',
	description:
		'Moves the account to the new address. This session goes on, every other one ends, and codes for the old address are void. A code for another address or of another account is INVALID_OTP; EMAIL_ALREADY_IN_USE means that somebody else has taken the address meanwhile.',
	session: 'required',
	body: takes(changeByCodeBody, { newEmail, otp: exampleCode }),
	answer: gives('The address is changed.', successShape, { success: true }),
	errors: ['invalid_email', 'email_taken', ...CODE_ERRORS]
} as const satisfies Operation;

export const changeEmailByLink = {
	id: 'changeEmailByLink',
	method: 'POST',
	path: '/api/auth/change-email',
	tag: 'Email change',
	summary: 'Ask for a change of address by link',
	description: `Emails a link to the new address, good for ${emailChange.linkLifetime / 60} minutes. The link opens a page that shows both addresses and asks the person to confirm, in any session of the account. ${FRESH} ${ALIKE} VERIFICATION_EMAIL_NOT_ENABLED means that this installation sends no links.`,
	session: 'required',
	body: takes(changeByLinkBody, { newEmail, callbackURL: '/settings' }),
	answer: gives('The link is on its way, if the address can be used.', statusShape, {
		status: true
	}),
	errors: ['links_off', ...REQUEST_ERRORS, ...CODE_ERRORS]
} as const satisfies Operation;

export const openChangeLink = {
	id: 'openChangeLink',
	method: 'GET',
	path: '/api/auth/verify-email',
	tag: 'Email change',
	summary: 'Where a link leads',
	description:
		'Sends a browser on to the page that confirms a change of address. By itself it changes nothing and says nothing about the link.',
	session: 'unused',
	query: z.object({
		token: z.string().optional().describe('The secret of the link.'),
		callbackURL: z
			.string()
			.optional()
			.describe(
				'Where to go after the change: a path of this site or an address of a trusted origin.'
			)
	}),
	body: null,
	answer: redirects('To the page that confirms.', z.string().describe('The page.')),
	errors: []
} as const satisfies Operation;
