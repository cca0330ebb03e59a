/** The groups of the document, in order. */
export const tags = {
	'Sign-in':
		'Send a code by email and exchange it for a session. The first sign-in creates the account.',
	Session: 'Read, list and end sessions.',
	Account: 'Change or delete the account.',
	Consent: 'Give or withdraw the consent to marketing, with a session or an unsubscribe link.',
	'Email change': 'Change the email address of an account, by code or by link.',
	Service: 'The server and this document.'
} as const;

export type Tag = keyof typeof tags;
