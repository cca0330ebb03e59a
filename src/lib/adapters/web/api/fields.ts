import { z } from 'zod';
import { codeInput } from '#lib/domain/sign-in/code.ts';
import {
	isName,
	isStorable,
	MAX_NAME,
	nameProblem,
	type Name,
	type NameProblem
} from '#lib/domain/user.ts';

// Fields of requests and responses that several capabilities share.

/** ISO 8601 in UTC with milliseconds, like every date in a response. */
export const date = (description: string): z.ZodString =>
	z
		.string()
		.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
		.meta({ format: 'date-time', description });

export const id = (description: string): z.ZodString =>
	z.string().meta({ format: 'uuid', description });

const { length, inputMode } = codeInput();

// The domain decides whether the text is an email address or a code.
export const email = z
	.string()
	.describe(
		'A single email address without a display name. Surrounding white space and letter case are ignored. The domain may contain non-Latin letters.'
	);
export const otp = z
	.string()
	.describe(
		`The code from the email, ${length} ${inputMode === 'numeric' ? 'digits' : 'characters'}. Other characters, such as spaces, are ignored.`
	);

const LONGEST_IMAGE = 2048;

export const image = z.string().max(LONGEST_IMAGE).refine(isStorable, 'Invalid characters');

/**
 * A name in a form or a JSON body, without the white space around it. The domain decides what is a
 * name, so both accept the same ones. `texts` describes what is wrong. It is not with the form of a
 * name, because plain Node loads this file and cannot load forms.
 */
export const nameSchema = (texts: Readonly<Record<NameProblem, string>>): z.ZodType<Name, string> =>
	z
		.string()
		.trim()
		.refine(isName, { error: ({ input }) => texts[nameProblem(String(input)) ?? 'unshowable'] })
		.meta({ maxLength: MAX_NAME });

export const nameField = nameSchema({
	too_long: `Must have at most ${MAX_NAME} characters`,
	unshowable: 'Invalid characters'
});
export const NAME_RULE =
	'Surrounding white space is ignored. Control characters and characters that change the reading direction are refused, except U+200E, U+200F and U+061C.';

export const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** The credential of a session, where a response contains it. */
export const tokenShape = secret.describe(
	'The credential of the session: 43 characters. It isn’t shown again.'
);

export const exampleToken = 'Zk3vQ8xN1mT5rL0pW7yB2dH9sJ4cF6gA_uEiOoKtXqM';
export const exampleCode = '123456';

/** The errors of a call that sends an email to a typed email address. */
export const SEND_ERRORS = [
	'invalid_email',
	'too_many_sends',
	'too_many_network_sends',
	'over_budget',
	'delivery_failed',
	'mail_busy'
] as const;
export const CODE_ERRORS = ['invalid_code', 'expired_code', 'too_many_attempts'] as const;
/** The errors of a call that compares a code and limits the wrong codes of a network. */
export const LIMITED_CODE_ERRORS = ['too_many_wrong_codes', ...CODE_ERRORS] as const;
