import { NETWORK_FACTOR } from '../../edge/limits/hit-limits.ts';
import { LIMITS, type LimitName } from '../../edge/limits/limits.ts';

const COUNTED: Readonly<Record<Exclude<LimitName, 'default'>, string>> = {
	send: 'sending codes and links',
	check: 'checking codes'
};

const limit = (name: LimitName): string =>
	`${LIMITS[name].limit} calls in ${LIMITS[name].window} seconds`;

/** The conventions of all calls, in CommonMark. The document starts with this text. */
export const conventions = (siteName: string): string => `\
The API for signing in to ${siteName} without a password.

**Requests.** Bodies are JSON with \`Content-Type: application/json\`, at most 64 KiB. Unknown keys are ignored. If a call has no described body, any body is ignored.

**Responses.** They are JSON, unless the call says otherwise. Every date is ISO 8601 in UTC with milliseconds. An error always has a \`code\` to compare in your code, and a \`message\` in English. \`HEAD\` responds like \`GET\` without the body. An unknown path returns \`NOT_FOUND\`; outside of \`/api/auth\`, unauthenticated callers get \`UNAUTHORIZED\` instead. An unsupported method returns \`METHOD_NOT_ALLOWED\`, and \`Allow\` names the methods of the path.

**Limits.** A client can make ${limit('default')} to one path, ${limit('send')} for ${COUNTED.send}, and ${limit('check')} for ${COUNTED.check}. The network of a client (IPv4 /24, IPv6 /48) has ${NETWORK_FACTOR} times these numbers.

**Client keys.** \`X-Postern-Client\` is a random key that the app makes once and keeps: 22 to 86 characters of base64url, at least 128 bits. A sign-in code that was requested with it can only be entered with it. After a sign-in the app is a known device of the account. Unknown clients cannot use up the codes that known devices can request.

**Sessions.** Send the credential of a session as \`Authorization: Bearer …\`; browsers can use the cookie instead. A valid bearer token wins over a cookie.

**Order of checks.** Limits per client and per network (429), origin (403), path and method (404, 405), body (415, 413, 400), session (401), then the errors of the call itself. Outside of \`/api/auth\`, a call that needs a session is refused with 401 right after the origin check.

**Origins.** A state-changing call is refused with 403 in two cases: a browser reports that it comes from a page of an origin that is not trusted, or its credential is a cookie and no header states its origin. API clients without cookies need no \`Origin\`. Pages of trusted origins may read the responses (CORS, with credentials); other origins get no CORS headers.

**Redirect targets.** \`callbackURL\`, \`redirectTo\`, \`errorCallbackURL\` and \`newUserCallbackURL\`, in the query or the described body of any call, must be a path of this site, with one leading slash, or a URL of a trusted origin. Anything else is refused with 403.`;

/** What the limits count for a call besides its path, as a sentence. */
export const limitInWords = (limit: LimitName | 'none' = 'default'): string => {
	if (limit === 'none') return '\n\nNo limit counts the call.';
	if (limit === 'default') return '';
	return `\n\nCounts towards the limit for ${COUNTED[limit]}. See **Limits**.`;
};
