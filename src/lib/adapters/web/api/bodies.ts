import { z } from 'zod';
import { codeInput } from '#lib/domain/sign-in/code.ts';

const LONGEST_NAME = 200;
const LONGEST_IMAGE = 2048;
const LONGEST_CALLBACK = 512;

/** Text that every store can keep: no NUL and no unpaired surrogates. */
const storable = (text: string): boolean => !/[\p{Surrogate}\0]/u.test(text);
const storableText = (max: number): z.ZodString =>
	z.string().max(max).refine(storable, 'Invalid characters');

// Only limits the size. The domain decides whether the text is an email address or a code.
const email = z
	.string()
	.describe(
		'One plain address. Surrounding white space and letter case do not matter; domains of any script are read.'
	);
const newEmail = z.string().describe('The new address, read like any other.');
const { length, inputMode } = codeInput();
const otp = z
	.string()
	.describe(
		`The code from the mail, ${length} ${inputMode === 'numeric' ? 'digits' : 'characters'}. What no code can hold, such as spaces, is dropped.`
	);
const name = storableText(LONGEST_NAME);
const image = storableText(LONGEST_IMAGE);
const type = z
	.string()
	.describe('What the code is for: `sign-in` or `email-verification`. No other is offered.');

export const sendCodeBody = z.object({
	email,
	type: type
		.optional()
		.describe(
			'What the code is for: `sign-in`, which is also meant when it is left out, or `email-verification`.'
		)
});
export const checkCodeBody = z.object({ email, type, otp });
export const verifyEmailBody = z.object({ email, otp });

export const signInBody = z.object({
	email,
	otp,
	name: name.optional().describe('Counts only when this call creates the account.'),
	image: image
		.nullish()
		.describe('Address of a picture; counts only when this call creates the account.'),
	restore: z
		.boolean()
		.optional()
		.describe('True restores an account that was deleted and is still in its grace, and signs in.'),
	// Only `true` counts as consent. Any other value of any type does not.
	marketingOptIn: z
		.unknown()
		.optional()
		.describe(
			'True notes a consent to marketing with the account that this call creates. Anything else is none.'
		)
});

const proof = otp
	.optional()
	.describe(
		'The code that SESSION_NOT_FRESH has sent to the current address. Only needed by a session that signed in more than 15 minutes ago.'
	);
export const newEmailBody = z.object({ newEmail, otp: proof });
export const changeByLinkBody = newEmailBody.extend({
	// Bounded, because it becomes part of an email that the recipient did not request.
	callbackURL: z
		.string()
		.max(LONGEST_CALLBACK)
		.optional()
		.describe(
			'Where the browser goes once the change is confirmed: a path of this site, with one leading slash, or an address of a trusted origin.'
		)
});
export const changeByCodeBody = z.object({ newEmail, otp });

export const revokeSessionBody = z.object({
	token: z
		.string()
		.describe('The handle from the list of sessions. The credential of a session is none.')
});

/** `email` is read only to reject it: this call cannot change it. */
export const updateUserBody = z.object({
	name: name.optional().describe('May be empty.'),
	image: image.nullish().describe('Address of a picture; null takes it away.'),
	email: z
		.unknown()
		.optional()
		.describe('Refused whatever it is: an address is changed by a code or a link.')
});
