import { err, ok, type ErrorOf, type Result } from './errors.ts';
import type { Brand } from './ids.ts';
import type { DomainNames } from './ports.ts';

/** In canonical form: as it is stored, looked up, throttled and handed to the mail server. */
export type Email = Brand<string, 'Email'>;

/** RFC 5321 4.5.3.1.3 without the angle brackets, and 4.5.3.1.1. In bytes. */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** RFC 1035 2.3.4. */
const MAX_LABEL = 63;
/** Longer input is refused before parsing, because normalising long text is expensive. */
const MAX_INPUT = 512;

/**
 * A dot-atom (RFC 5321) without `%` and `!`, which old relays read as routes, and without `?`,
 * which only encoded words need. Unicode is refused here: hardly any provider delivers to such a
 * local part, and look-alike characters would create distinct accounts (docs/departures.md).
 */
const LOCAL_PART = /^[a-z0-9#$&'*+/=^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=^_`{|}~-]+)*$/;
/** Before conversion, a domain holds letters, marks, digits, hyphens and dots of any script. */
const ANY_SCRIPT_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
/** Trimming and IDNA would drop these, and so turn one email address into another. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

const invalid = err<ErrorOf<'invalid_email'>>({ code: 'invalid_email' });

const isHostName = (domain: string): boolean => {
	const labels = domain.split('.');
	return (
		labels.length >= 2 &&
		labels.every((label) => label.length <= MAX_LABEL && LABEL.test(label)) &&
		// Resolvers read a name with a numeric last label as an IP address.
		!/^[0-9]+$/.test(labels.at(-1) ?? '')
	);
};

/**
 * The canonical form of one plain email address: NFKC, trimmed, lower case, domain in ASCII (IDNA).
 * Anything that is not exactly one plain address is refused, never shortened to one. The checks
 * run after normalisation, and an `@` that appears only through normalisation is refused too.
 * Both have been used to smuggle a second address past parsers of other products.
 */
export const parseEmail = (
	input: string,
	domainNames: DomainNames
): Result<Email, ErrorOf<'invalid_email'>> => {
	if (input.length > MAX_INPUT || INVISIBLE.test(input)) return invalid;
	const normal = input.normalize('NFKC').trim().toLowerCase();
	if (input.split('@').length !== 2 || normal.split('@').length !== 2) return invalid;

	const at = normal.indexOf('@');
	const local = normal.slice(0, at);
	if (local.length > MAX_LOCAL || !LOCAL_PART.test(local)) return invalid;

	const written = normal.slice(at + 1);
	const domain = ANY_SCRIPT_DOMAIN.test(written) ? domainNames.toAscii(written) : null;
	if (domain === null || !isHostName(domain)) return invalid;

	// Both parts are ASCII here, so one character is one byte.
	const email = `${local}@${domain}`;
	return email.length <= MAX_EMAIL ? ok(email as Email) : invalid;
};

/** Whether a typed text is this email address in any form that `parseEmail` accepts. */
export const isSameEmail = (email: Email, typed: string, domainNames: DomainNames): boolean => {
	const parsed = parseEmail(typed, domainNames);
	return parsed.ok && parsed.value === email;
};

/** Shows `a•••@example.com` on pages and in emails. The log has a form of its own (`logOutcome`). */
export const maskEmail = (email: Email): string =>
	`${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`;
