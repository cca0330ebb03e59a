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
			'`type` is optional when you send a code. The default is `sign-in`. Other types than the two documented ones return INVALID_OTP_TYPE.',
			'An email that could not be sent returns 503 EMAIL_NOT_SENT, not a success.',
			'White space around an email address is ignored. So are characters that a code cannot contain.',
			`Every check of a code costs one of its ${code.attempts} attempts, including \`check-verification-otp\`. It also works for email addresses without an account.`,
			`In any ${throttle.window / 60} minutes, all unknown clients together can request at most ${throttle.sends} codes for a mailbox. The known devices of its account can request ${throttle.sends} more. \`a+b@example.com\` and \`a@example.com\` share this limit.`
		]
	},
	{
		about: 'Sessions',
		points: [
			'`token` in a session object is a handle for `revoke-session`, not a credential. Only the response to a sign-in contains the credential, in `token` and in `set-auth-token`.',
			'`list-sessions` and `delete-user` do not require a fresh session. Their responses contain no token that could be stolen.',
			'`disableCookieCache=false` means false.',
			'An email change ends all sessions except the one that confirms it.'
		]
	},
	{
		about: 'Accounts',
		points: [
			`\`delete-user\` can be undone for ${deletion.grace / 86_400} days. Until then, the correct code is refused with ACCOUNT_DELETED and \`purgeAt\`, and stays valid. The same call with \`"restore": true\` restores the account and signs in.`,
			'`update-user` refuses values of other types than documented.',
			'`change-email` returns INVALID_EMAIL for an invalid email address.',
			'The link of an email change opens a page that shows both email addresses and asks the person to confirm. Opening the link changes nothing, so mail scanners cause no change.',
			`An email change is cancelled when the session that requested it ends. A session that signed in more than ${emailChange.freshFor / 60} minutes ago first gets SESSION_NOT_FRESH and a code by email. Repeat the call with that code.`,
			'An account exists only after a code was verified, so `emailVerified` is always true.'
		]
	},
	{
		about: 'HTTP',
		points: [
			'Every error has a `code`, even where better-auth sends only a message.',
			'A body over 64 KiB returns 413 PAYLOAD_TOO_LARGE.',
			'An unknown path returns 404 NOT_FOUND. An unsupported method returns 405 METHOD_NOT_ALLOWED with `Allow`.',
			'If the database does not respond, the call returns 503 SERVICE_UNAVAILABLE with `Retry-After`.',
			'A state-changing call with an untrusted origin is refused, with or without a cookie.'
		]
	}
];
