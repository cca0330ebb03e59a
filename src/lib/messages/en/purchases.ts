/** On the account page. */
export const purchases = {
	title: 'Your purchases',
	none: 'No purchases yet.',
	paid: 'Paid',
	more: (count: number): string => (count === 1 ? 'One more purchase' : `${count} more purchases`)
};

export const checkout = {
	title: 'Thank you for your purchase',
	claim: (email: string): string => `To add it to your account, we’ll send a code to ${email}.`,
	send: 'Send me a code',
	enter: (product: string): string => `Enter it to add ${product} to your account.`,
	add: 'Add to your account',
	done: 'Added to your account',
	open: 'Open your account',
	taken: 'This purchase belongs to another account',
	takenText: (email: string): string =>
		`That account had the email address ${email} before. If it’s yours, sign in to it.`,
	unknown: 'We can’t find that purchase',
	unknownText: 'Check that the link is complete.',
	/** Where the site gives an email address. */
	unknownContact: 'Check that the link is complete. If that doesn’t help, contact us.'
};
