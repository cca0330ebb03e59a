/** On the account page. */
export const purchases = {
	title: 'Your purchases',
	paid: 'Paid',
	more: (count: number): string => (count === 1 ? 'One more purchase' : `${count} more purchases`)
};

export const checkout = {
	title: 'Thank you for your purchase',
	claim: (email: string): string =>
		`We’ll email a code to ${email}. It adds the purchase to your account, or creates one.`,
	send: 'Send me a code',
	bounced: 'We couldn’t deliver our email. Try again.',
	/** Around the product. */
	enter: ['Enter it to add', 'to your account.'],
	add: 'Add to your account',
	done: 'Added to your account',
	open: 'Open your account',
	taken: 'This purchase belongs to another account',
	takenText: (email: string): string =>
		`It’s in an account that used ${email} before. Sign in with the current address of that account.`,
	unknown: 'We can’t find that purchase',
	unknownText: 'Check that the link is complete, or try again in a moment.'
};
