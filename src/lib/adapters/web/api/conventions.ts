import { NETWORK_FACTOR } from '../request-limits.ts';
import { LIMITS, type LimitName } from '../route-limits.ts';

/** What holds for every call; the first thing the document says. CommonMark. */
export const conventions = (siteName: string): string => `\
Signing in to ${siteName} without a password: ask for a code, which is mailed, and turn it into a session.

**Requests.** Bodies are JSON with \`Content-Type: application/json\`, at most 64 KiB. Keys that are not described are ignored. A call without a described body takes none, and ignores one.

**Answers** are JSON. Every date is ISO 8601 in UTC with milliseconds. An error has always \`code\`, to match on, and \`message\`, in plain English. \`HEAD\` answers like \`GET\` without the body. A path that does not exist is NOT_FOUND, or UNAUTHORIZED to a stranger outside of \`/api/auth\`; a method that a path does not have is METHOD_NOT_ALLOWED.

**Sessions.** Send the credential of a session as \`Authorization: Bearer …\`; browsers may leave it in its cookie. A valid bearer wins over a cookie.

**Order of checks.** Limits per client and per network (429), origin (403), path and method (404, 405), body (415, 413, 400), session (401), then what the call itself may refuse.

**Origins.** A call that changes something is refused with 403 when a browser says that it comes from a page of an origin that is not trusted, or when a cookie is its credential and nothing says where it comes from. Programs send no \`Origin\` and are let in. Pages of trusted origins may read the answers (CORS, with credentials); others get no CORS header.

**Redirect targets.** \`callbackURL\`, \`redirectTo\`, \`errorCallbackURL\` and \`newUserCallbackURL\`, in a body or a query of any call, must be a path of this site, with one leading slash, or an address of a trusted origin; everything else is refused with 403.`;

const PER: Readonly<Record<LimitName, string>> = {
	route: 'to this path',
	send: 'to all that send a code or a link together',
	verify: 'to all that check a code together'
};

/** The limits of an operation in words; empty where it has none. */
export const limitsInWords = (names: readonly LimitName[]): string => {
	if (names.length === 0) return '';
	const told = names.map(
		(name) => `${LIMITS[name].limit} calls in ${LIMITS[name].window} seconds ${PER[name]}`
	);
	return `\n\nLimits per client: ${told.join(', ')}. The network of a client (IPv4 /24, IPv6 /48) has ${NETWORK_FACTOR} times these numbers.`;
};
