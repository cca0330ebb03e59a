import { defaultPolicy } from '#lib/domain/policy.ts';

const { code, deletion, emailChange, throttle } = defaultPolicy;

/** How the API differs from better-auth's, by topic. */
export const differences: readonly {
	readonly about: string;
	readonly points: readonly string[];
}[] = [
	{
		about: 'Codes',
		points: [
			'`type` may be left out of a send and means `sign-in` then. Types that are not offered are INVALID_OTP_TYPE.',
			'A mail that could not be handed over is 503 EMAIL_NOT_SENT, not a success.',
			'White space around an address is dropped, and so is what a code cannot contain.',
			`Every check of a code costs one of its ${code.attempts} attempts, \`check-verification-otp\` included. It works for addresses without an account, too.`,
			`A mailbox gets at most ${throttle.sends} codes in any ${throttle.window / 60} minutes from all clients together. \`a+b@example.com\` and \`a@example.com\` share this limit.`
		]
	},
	{
		about: 'Sessions',
		points: [
			'`token` in a session object is a handle for `revoke-session` and no credential. The credential is only in the answer to a sign-in: in `token` and in `set-auth-token`.',
			'`list-sessions` and `delete-user` ask for no fresh session; no answer holds a token that could be stolen.',
			'`disableCookieCache=false` means false.',
			'A change of address ends every other session and keeps the one that asked.'
		]
	},
	{
		about: 'Accounts',
		points: [
			`\`delete-user\` can be undone for ${deletion.grace / 86_400} days. Until then the right code is refused with ACCOUNT_DELETED and \`purgeAt\`, unspent; the same call with \`"restore": true\` brings the account back and signs in.`,
			'`update-user` refuses values of another type than described.',
			'`change-email` says INVALID_EMAIL to what is no address.',
			'The link of an email change leads to a page that shows both addresses and asks for one press. Opening it changes nothing, so mail scanners can do no harm.',
			`An email change is void as soon as the session that requested it ends. A session that signed in more than ${emailChange.freshFor / 60} minutes ago gets SESSION_NOT_FRESH first, and a code by email to repeat the call with.`,
			'An account exists only after a code was verified, so `emailVerified` is always true.'
		]
	},
	{
		about: 'The wire',
		points: [
			'Every error has a `code`, also where better-auth sends only a message.',
			'A body over 64 KiB is 413 PAYLOAD_TOO_LARGE.',
			'An unknown path is 404 NOT_FOUND, a wrong method 405 METHOD_NOT_ALLOWED with `Allow`.',
			'A database that does not answer is 503 SERVICE_UNAVAILABLE with `Retry-After`.',
			'A call that changes something and names an origin that is not trusted is refused, with or without a cookie.'
		]
	}
];
