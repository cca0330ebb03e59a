import type { Parameter } from './types.ts';

/** The header with which a program becomes a known device. */
export const clientKeyParameter: Parameter = {
	name: 'X-Postern-Client',
	in: 'header',
	description:
		'A random key that the app makes once and keeps: 22 to 86 characters of base64url, at least 128 bits. A sign-in code that was requested with it can only be entered with it. After a sign-in the app is a known device of the account. Unknown clients cannot use up the codes that known devices can request.',
	required: false,
	schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22,86}$' }
};
