/** On the account page. */
export const purchases = {
	title: 'Your purchases',
	none: 'No purchases yet.',
	paid: 'Paid'
};

export const checkout = {
	title: 'Thank you for your purchase',
	claim: (email: string): string => `To add it to your account, we’ll email a code to ${email}.`,
	send: 'Send me a code',
	/** After where the code was sent. The product stands between them. */
	codeFor: ['Enter it to add', 'to your account.'],
	later: 'Not now',
	bounced: 'We couldn’t deliver the email. Try again.',
	add: (email: string): string => `Add to ${email}`,
	done: 'Added to your account',
	open: 'Open your account',
	taken: 'This purchase belongs to another account',
	/** After the product. */
	takenText:
		'was added to an account whose email address has changed since. Sign in with that account’s new address.',
	unknown: 'We can’t find that purchase',
	unknownText: 'A new purchase can take a moment to appear.'
};
