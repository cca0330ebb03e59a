import { z } from 'zod';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { DAY } from '#lib/domain/time.ts';
import {
	email,
	exampleCode,
	exampleToken,
	image,
	LIMITED_CODE_ERRORS,
	NAME_RULE,
	nameField,
	otp,
	SEND_ERRORS,
	tokenShape
} from '../api/fields.ts';
import { responds, respondsSuccess, takes, type Operation } from '../api/operation.ts';
import { exampleUser, userShape } from '../api/user.ts';

const { code, deletion, throttle } = defaultPolicy;
const example = { email: exampleUser.email, otp: exampleCode };
const type = z
	.string()
	.describe(
		'The purpose of the code: `sign-in` or `email-verification`. No other value is allowed.'
	);

const sendCodeBody = z.object({
	email,
	type: type
		.optional()
		.describe('The purpose of the code: `sign-in`, which is the default, or `email-verification`.')
});
const checkCodeBody = z.object({ email, type, otp });
const verifyEmailBody = z.object({ email, otp });

const signInBody = z.object({
	email,
	otp,
	name: nameField.optional().describe(`Used only if this call creates the account. ${NAME_RULE}`),
	image: image.nullish().describe('URL of a picture. Used only if this call creates the account.'),
	restore: z
		.boolean()
		.optional()
		.describe(
			`If true, restores an account that was deleted in the last ${deletion.grace / DAY} days, then signs in.`
		),
	/** Only `true` counts as consent. Any other value of any type does not. */
	marketingOptIn: z
		.unknown()
		.optional()
		.describe(
			'Only if the operator set `AUTH_ENTRY=single`: true records consent to marketing if this call creates the account. Any other value means no consent.'
		)
});

export const sendCode = {
	method: 'POST',
	path: '/api/auth/email-otp/send-verification-otp',
	summary: 'Send a code',
	description: `Emails a code. The code works once, is valid for ${code.lifetime / 60} minutes and replaces an earlier code. The response is the same whether an account has the email address or not, but a code of type \`email-verification\`, or any code where sign-up is closed, is sent only if one has it. If the request comes from a page of this site, according to the browser, the response sets a cookie and the code works only in that browser.\n\nIn any ${throttle.window / 60} minutes, all unknown clients together can request at most ${throttle.sends} codes for a mailbox: \`ada+shop@example.com\` and \`ada@example.com\` share them. The known devices of an account can request ${throttle.sends} more.`,
	session: 'unused',
	limit: 'send',
	takesProgramKey: true,
	takesProof: true,
	body: takes(sendCodeBody, { email: example.email, type: 'sign-in' }),
	response: respondsSuccess('The code was sent, unless there is no account to send it to.'),
	errors: [...SEND_ERRORS, 'invalid_otp_type', 'proof_required', 'address_refused']
} as const satisfies Operation;

export const signIn = {
	method: 'POST',
	path: '/api/auth/sign-in/email-otp',
	summary: 'Sign in with a code',
	description:
		'Exchanges the correct code for a session. If the email address has no account and sign-up is open, this creates one. The response is the same.',
	session: 'unused',
	limit: 'check',
	takesProgramKey: true,
	body: takes(signInBody, example),
	response: {
		...responds(
			'Signed in. Browsers also get the session as a cookie.',
			z.object({ token: tokenShape, user: userShape.describe('The account that signed in.') }),
			{ token: exampleToken, user: exampleUser }
		),
		headers: { 'set-auth-token': tokenShape.describe('The same credential as in the body.') }
	},
	errors: [...LIMITED_CODE_ERRORS, 'account_deleted', 'account_blocked', 'address_reserved']
} as const satisfies Operation;

export const checkCode = {
	method: 'POST',
	path: '/api/auth/email-otp/check-verification-otp',
	summary: 'Check a code without using it',
	description: `Checks whether a code is correct. The code stays valid for its use. Every check counts as an attempt, even if the code is correct.`,
	session: 'unused',
	limit: 'check',
	takesProgramKey: true,
	body: takes(checkCodeBody, { ...example, type: 'sign-in' }),
	response: respondsSuccess('The code is correct.'),
	errors: ['invalid_otp_type', ...LIMITED_CODE_ERRORS, 'account_blocked']
} as const satisfies Operation;

export const verifyEmail = {
	method: 'POST',
	path: '/api/auth/email-otp/verify-email',
	summary: 'Verify an email address with a code',
	description: `Uses a code of type \`email-verification\`. It creates no session, so \`token\` is always null. An email address without an account is refused like a wrong code.`,
	session: 'unused',
	limit: 'check',
	takesProgramKey: true,
	body: takes(verifyEmailBody, example),
	response: responds(
		'The email address is verified.',
		z.object({
			status: z.literal(true),
			token: z.null().describe('Always null.'),
			user: userShape.describe('Its account.')
		}),
		{ status: true, token: null, user: exampleUser }
	),
	errors: [...LIMITED_CODE_ERRORS, 'account_blocked']
} as const satisfies Operation;

export const signInOperations = { sendCode, signIn, checkCode, verifyEmail };
