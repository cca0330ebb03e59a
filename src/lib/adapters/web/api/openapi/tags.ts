/** The groups of the document, in order. */
export const tags = {
	'Sign-in': 'A code by mail in, a session out. No account has to exist before.',
	Session: 'Who is signed in, where, and how that ends.',
	Account: 'What belongs to the account itself.',
	'Email change': 'Moving an account to another address, by a code or by a link.',
	Service: 'The server itself.'
} as const;

export type Tag = keyof typeof tags;
