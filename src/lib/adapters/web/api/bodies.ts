import { z } from 'zod';
import { codeInput } from '#lib/domain/sign-in/code.ts';
import { isStorable, MAX_NAME } from '#lib/domain/user.ts';
import { nameSchema } from '../account/name-schema.ts';

const LONGEST_IMAGE = 2048;
const LONGEST_CALLBACK = 512;

const storableText = (max: number): z.ZodString =>
	z.string().max(max).refine(isStorable, 'Invalid characters');

// Only limits the size. The domain decides whether the text is an email address or a code.
const email = z
	.string()
	.describe(
		'A single email address without a display name. Surrounding white space and letter case are ignored. Domains may use any script.'
	);
const newEmail = z
	.string()
	.describe('The new email address, in the same format as `email` in other calls.');
const { length, inputMode } = codeInput();
const otp = z
	.string()
	.describe(
		`The code from the email, ${length} ${inputMode === 'numeric' ? 'digits' : 'characters'}. Characters that no code contains, such as spaces, are ignored.`
	);
const name = nameSchema({
	too_long: `Must have at most ${MAX_NAME} characters`,
	unshowable: 'Invalid characters'
});
const nameRule =
	'White space around it is dropped. Control characters and characters that embed, override or isolate a reading direction are refused. The marks U+200E, U+200F and U+061C are allowed.';
const image = storableText(LONGEST_IMAGE);
const type = z
	.string()
	.describe(
		'The purpose of the code: `sign-in` or `email-verification`. No other value is allowed.'
	);

export const sendCodeBody = z.object({
	email,
	type: type
		.optional()
		.describe('The purpose of the code: `sign-in`, which is the default, or `email-verification`.')
});
export const checkCodeBody = z.object({ email, type, otp });
export const verifyEmailBody = z.object({ email, otp });

export const signInBody = z.object({
	email,
	otp,
	name: name.optional().describe(`Used only if this call creates the account. ${nameRule}`),
	image: image.nullish().describe('URL of a picture. Used only if this call creates the account.'),
	restore: z
		.boolean()
		.optional()
		.describe('True restores a deleted account that is not yet removed, and signs in.')
});

const proof = otp
	.optional()
	.describe(
		`The code that was sent to the current email address with SESSION_NOT_FRESH. Required only after that answer.`
	);
export const newEmailBody = z.object({ newEmail, otp: proof });
export const changeByLinkBody = newEmailBody.extend({
	// Bounded, because it becomes part of an email that the recipient did not request.
	callbackURL: z
		.string()
		.max(LONGEST_CALLBACK)
		.optional()
		.describe(
			'Where the browser goes after the change is confirmed: a path of this site, with one leading slash, or a URL of a trusted origin.'
		)
});
export const changeByCodeBody = z.object({ newEmail, otp });

export const revokeSessionBody = z.object({
	token: z
		.string()
		.describe('The handle from the list of sessions. The credential of a session is not a handle.')
});

/** The one-click request of RFC 8058. Its only field is the value of the email's header. */
export const oneClickBody = z.object({
	'List-Unsubscribe': z.literal('One-Click').describe('Always `One-Click`.')
});

/** `email` is read only to reject it: this call cannot change it. */
export const updateUserBody = z.object({
	name: name.optional().describe(`May be empty. ${nameRule}`),
	image: image.nullish().describe('URL of a picture. Null removes it.'),
	email: z
		.unknown()
		.optional()
		.describe('Always refused: use a code or a link to change the email address.')
});
