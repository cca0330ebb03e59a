import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { checkCodeBody, sendCodeBody, signInBody, verifyEmailBody } from './bodies.ts';
import { exampleCode, exampleToken, exampleUser } from './examples.ts';
import { gives, takes, type Operation } from './operation.ts';
import { successShape, tokenShape, userShape } from './shapes.ts';

const { code, throttle, deletion } = defaultPolicy;
const email = exampleUser.email;
const CODE_ERRORS = ['invalid_code', 'expired_code', 'too_many_attempts'] as const;
const ATTEMPTS = `A code takes ${code.attempts} attempts; the one after them is refused with TOO_MANY_ATTEMPTS, and then the code is gone.`;

export const sendCode = {
	id: 'sendCode',
	method: 'POST',
	path: '/api/auth/email-otp/send-verification-otp',
	tag: 'Sign-in',
	summary: 'Send a code',
	description: `Mails a code that works once, for ${code.lifetime / 60} minutes, and takes the place of an earlier one. Where a browser says that a page of this site asks, the code works only in that browser, which gets a cookie for it. The answer is the same whether an account has the address or not. A mailbox gets at most ${throttle.sends} codes in any ${throttle.window / 60} minutes: \`ada+shop@example.com\` and \`ada@example.com\` share them; a code of type \`email-verification\` is mailed only where an account has the address, which the answer does not tell. EMAIL_NOT_SENT means that the mail could not be handed over, or that too many others wait for the mail server (then with \`Retry-After\`); an earlier code stays valid then.`,
	session: 'unused',
	body: takes(sendCodeBody, { email, type: 'sign-in' }),
	answer: gives('The code is on its way, if there is anybody to send it to.', successShape, {
		success: true
	}),
	errors: ['invalid_email', 'invalid_otp_type', 'too_many_sends', 'delivery_failed', 'mail_busy']
} as const satisfies Operation;

export const signIn = {
	id: 'signIn',
	method: 'POST',
	path: '/api/auth/sign-in/email-otp',
	tag: 'Sign-in',
	summary: 'Sign in with a code',
	description: `Turns the right code into a session, and into an account where the address has none. New and known people get the same answer. The credential is in \`token\` and in the header \`set-auth-token\`, and in a cookie for browsers; it is shown this once. A wrong, an unknown and a used code, and an address that is none, are not told apart: all are INVALID_OTP. ${ATTEMPTS} The code of a deleted account is refused with ACCOUNT_DELETED for ${deletion.grace / 86_400} days and stays good for the same call with \`restore\`.`,
	session: 'unused',
	body: takes(signInBody, { email, otp: exampleCode }, ({ entry }) =>
		// With two entries consent is asked for and given apart from signing in.
		entry === 'single' ? signInBody : signInBody.omit({ marketingOptIn: true })
	),
	answer: gives(
		'Signed in. Browsers get the session as a cookie, too.',
		z.object({ token: tokenShape, user: userShape }),
		{ token: exampleToken, user: exampleUser },
		{ 'set-auth-token': tokenShape.describe('The same credential as in the body.') }
	),
	errors: [...CODE_ERRORS, 'account_deleted']
} as const satisfies Operation;

export const checkCode = {
	id: 'checkCode',
	method: 'POST',
	path: '/api/auth/email-otp/check-verification-otp',
	tag: 'Sign-in',
	summary: 'Check a code without using it',
	description: `Says whether a code is the right one and leaves it good for its use. Every check costs an attempt, also a right one. ${ATTEMPTS}`,
	session: 'unused',
	body: takes(checkCodeBody, { email, type: 'sign-in', otp: exampleCode }),
	answer: gives('The code is right.', successShape, { success: true }),
	errors: ['invalid_otp_type', ...CODE_ERRORS]
} as const satisfies Operation;

export const verifyEmail = {
	id: 'verifyEmail',
	method: 'POST',
	path: '/api/auth/email-otp/verify-email',
	tag: 'Sign-in',
	summary: 'Verify an address with a code',
	description: `Uses up a code of type \`email-verification\`. It opens no session, so \`token\` is always null. An address without an account is refused like a wrong code. ${ATTEMPTS}`,
	session: 'unused',
	body: takes(verifyEmailBody, { email, otp: exampleCode }),
	answer: gives(
		'The address is verified.',
		z.object({
			status: z.literal(true),
			token: z.null().describe('Always null.'),
			user: userShape
		}),
		{ status: true, token: null, user: exampleUser }
	),
	errors: CODE_ERRORS
} as const satisfies Operation;
