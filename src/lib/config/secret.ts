import { err, ok, type Result } from '#lib/domain/errors.ts';
import { parsed, splitList } from './settings.ts';

/** 256 bits, if they are random. */
const MIN_BYTES = 32;
/** Random text of that length has far more distinct characters. */
const MIN_DISTINCT = 10;
const FIX = 'Set it to the output of: openssl rand -base64 33';
/** Words of examples, defaults and phrases, too long to be in random text by chance. */
const KNOWN_WORDS =
	/secret|change|example|password|default|insecure|postern|replace|development|abcdef|fedcba|123456|654321|qwerty|foobar/i;

/** Why a secret cannot be used, or null. Does not repeat it. */
const weaknessOf = (value: string): string | null => {
	const bytes = new TextEncoder().encode(value).length;
	if (bytes < MIN_BYTES) return `it has ${bytes} bytes, fewer than ${MIN_BYTES}`;
	if (new Set(value).size < MIN_DISTINCT || repeats(value)) return 'it is a pattern, not random';
	if (/\s/.test(value)) return 'it has a space';
	return KNOWN_WORDS.test(value) ? 'it is an example or a phrase, not random' : null;
};

const repeats = (value: string): boolean => (value + value).indexOf(value, 1) <= value.length / 2;

export const bearerSecret = parsed((value): Result<string, string> => {
	const weakness = weaknessOf(value);
	return weakness === null ? ok(value) : err(`${weakness}. ${FIX}`);
}, `it is missing. ${FIX}`);

/** A list of earlier secrets must be able to contain it. */
export const secret = bearerSecret.refine((text) => !text.includes(','), `it has a comma. ${FIX}`);

/** Earlier secrets, comma-separated, newest first. Each must meet the rules for a current one. */
export const previousSecrets = parsed((list): Result<readonly string[], string> => {
	const secrets = splitList(list);
	const [weakness] = secrets.flatMap((entry) => weaknessOf(entry) ?? []);
	return weakness === undefined
		? ok(secrets)
		: err(
				`one of its secrets is not valid: ${weakness}. List earlier values of AUTH_SECRET, or remove it`
			);
});
