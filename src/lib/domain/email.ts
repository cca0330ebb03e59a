import type { Brand } from './brand.ts';
import type { DomainNames } from './ports/domain-names.ts';
import { err, ok, type Result } from './result.ts';
import type { ErrorOf } from './errors.ts';

/** An address in the one form that is stored, looked up, throttled and handed to the mail server. */
export type Email = Brand<string, 'Email'>;

/** RFC 5321 4.5.3.1.3 less the angle brackets, and 4.5.3.1.1; in bytes. */
const MAX_ADDRESS = 254;
const MAX_LOCAL = 64;
/** RFC 1035 2.3.4. */
const MAX_LABEL = 63;
/** Longer input is refused unread; normalising can only be asked of something short. */
const MAX_INPUT = 512;

/**
 * A dot-atom (RFC 5321) less `%` and `!`, which old relays read as routes, and `?`, which only
 * serves encoded words. Unicode is refused here: hardly any provider delivers to such a local
 * part, and look-alikes would make distinct accounts (docs/departures.md).
 */
const LOCAL_PART = /^[a-z0-9#$&'*+/=^_`{|}~-]+(?:\.[a-z0-9#$&'*+/=^_`{|}~-]+)*$/;
/** Before conversion a domain is letters, marks, digits, hyphens and dots of any script. */
const ANY_SCRIPT_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
/** Characters that show nothing: trimming and IDNA would drop them, and so cut one address to another. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

const invalid = err<ErrorOf<'invalid_email'>>({ code: 'invalid_email' });

const isHostName = (domain: string): boolean => {
	const labels = domain.split('.');
	return (
		labels.length >= 2 &&
		labels.every((label) => label.length <= MAX_LABEL && LABEL.test(label)) &&
		// A numeric last label is an IP address to everything that resolves names.
		!/^[0-9]+$/.test(labels.at(-1) ?? '')
	);
};

/**
 * The canonical form of one plain address: NFKC, trimmed, lower case, domain in ASCII (IDNA).
 * What is not exactly one plain address is refused, never cut down to one. Checks come after
 * normalisation, and an `@` that only normalisation would make is refused too: both were ways to
 * smuggle a second address past such parsers elsewhere.
 */
export const parseEmail = (
	input: string,
	domainNames: DomainNames
): Result<Email, ErrorOf<'invalid_email'>> => {
	if (input.length > MAX_INPUT || INVISIBLE.test(input)) return invalid;
	const normal = input.normalize('NFKC').trim().toLowerCase();
	if (count(input, '@') !== 1 || count(normal, '@') !== 1) return invalid;

	const at = normal.indexOf('@');
	const local = normal.slice(0, at);
	if (local.length > MAX_LOCAL || !LOCAL_PART.test(local)) return invalid;

	const written = normal.slice(at + 1);
	const domain = ANY_SCRIPT_DOMAIN.test(written) ? domainNames.toAscii(written) : null;
	if (domain === null || !isHostName(domain)) return invalid;

	// Both parts are ASCII by now, so characters are bytes.
	const address = `${local}@${domain}`;
	return address.length <= MAX_ADDRESS ? ok(address as Email) : invalid;
};

const count = (text: string, character: string): number => text.split(character).length - 1;

/** The address with most of its local part hidden, for pages and mails: `a•••@example.com`. */
export const maskEmail = (email: Email): string =>
	`${email.slice(0, 1)}•••${email.slice(email.indexOf('@'))}`;
