/** On the account page. */
export const purchases = {
	title: 'Your purchases',
	none: 'No purchases yet.',
	paid: 'Paid',
	more: (count: number): string => (count === 1 ? 'One more purchase' : `${count} more purchases`)
};

export const checkout = {
	title: 'Thank you for your purchase',
	for: (email: string): string => `It was bought with the email address ${email}.`,
	claim:
		'To add it to your account, enter a code that we send to that email address. If you don’t have an account yet, this creates one.',
	send: 'Send me a code',
	sent: (email: string): string => `We sent a code to ${email}.`,
	direct: 'You’re signed in with that email address, so you don’t need a code.',
	add: 'Add it to my account',
	done: 'Added to your account',
	open: 'Open your account',
	taken: 'This purchase belongs to another account',
	takenText:
		'An account that had this email address before has claimed it. If that account is yours, sign in with its current email address.',
	unknown: 'We can’t find that purchase',
	unknownText: 'Check that the link is complete.',
	/** Where the site gives an email address. */
	unknownContact: 'Check that the link is complete. If that doesn’t help, contact us.'
};
