/** On the account page. */
export const purchases = {
	title: 'Your purchases',
	none: 'No purchases yet.',
	paid: 'Paid',
	more: (count: number): string => (count === 1 ? 'One more purchase' : `${count} more purchases`)
};

export const checkout = {
	title: 'Thank you for your purchase',
	for: (email: string): string => `Bought with ${email}.`,
	claim: 'We’ll send a code there, to add the purchase to your account.',
	send: 'Send me a code',
	sent: (email: string): string =>
		`We sent a code to ${email}, to add the purchase to your account.`,
	add: 'Add to your account',
	done: 'Added to your account',
	open: 'Open your account',
	taken: 'This purchase belongs to another account',
	takenText: 'That account had this email address before. If it’s yours, sign in to it.',
	another: 'Sign in to another account',
	unknown: 'We can’t find that purchase',
	unknownText: 'Check that the link is complete.',
	/** Where the site gives an email address. */
	unknownContact: 'Check that the link is complete. If that doesn’t help, contact us.'
};
