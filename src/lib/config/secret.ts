import { ok } from '#lib/domain/errors.ts';
import { splitList } from './addresses.ts';
import { refuse, type Checked } from './checked.ts';

/** 256 bits, if they are random. */
const MIN_BYTES = 32;
/**
 * Random text of that length has far more distinct characters. A phrase or a pattern has fewer.
 */
const MIN_DISTINCT = 10;
const FIX = 'Set it to the output of: openssl rand -base64 33';
/**
 * Words of examples, defaults and phrases. They have six letters or more, so that random text
 * never contains one.
 */
const KNOWN_WORDS =
	/secret|change|example|password|default|insecure|postern|replace|development|abcdef|123456|qwerty|foobar/i;

/** Every key is derived from this one value, so a guessable value breaks all of them. */
export const parseSecret = (value: string | undefined): Checked<string> => {
	if (!value) return refuse('it is missing', FIX);
	const bytes = new TextEncoder().encode(value).length;
	if (bytes < MIN_BYTES) {
		return refuse(`it has ${bytes} bytes, fewer than ${MIN_BYTES}`, FIX);
	}
	if (new Set(value).size < MIN_DISTINCT || repeats(value) || counts(value)) {
		return refuse('it is a pattern, not random', FIX);
	}
	if (/[\s,]/.test(value)) {
		return refuse(
			'it contains a space or a comma, which a list of earlier secrets cannot contain',
			FIX
		);
	}
	if (KNOWN_WORDS.test(value)) return refuse('it is an example or a phrase, not random', FIX);
	return ok(value);
};

/** Earlier secrets, comma-separated, newest first. Each must meet the rules for a current one. */
export const parsePreviousSecrets = (value: string | undefined): Checked<readonly string[]> => {
	const secrets: string[] = [];
	for (const entry of splitList(value)) {
		const secret = parseSecret(entry);
		if (!secret.ok) {
			return refuse(
				`one of its secrets is not valid: ${secret.error.why}`,
				'List earlier values of AUTH_SECRET, or remove it'
			);
		}
		secrets.push(secret.value);
	}
	return ok(secrets);
};

/** Whether the value repeats a short unit. */
const repeats = (value: string): boolean => (value + value).indexOf(value, 1) <= value.length / 2;

/** Whether most characters follow or precede their neighbour, as in an alphabet. */
const counts = (value: string): boolean => {
	const codes = [...value].map((character) => character.codePointAt(0) ?? 0);
	const steps = codes.slice(1).filter((code, i) => Math.abs(code - (codes[i] ?? 0)) === 1);
	return steps.length > codes.length / 2;
};
