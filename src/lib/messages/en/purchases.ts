export const checkout = {
	title: 'Thank you for your purchase',
	for: (email: string): string => `It was bought with the address ${email}.`,
	claim:
		'To add it to an account, enter a code that we send to that address. If there is no account yet, this creates one.',
	send: 'Send me a code',
	sent: (email: string): string => `We sent a code to ${email}.`,
	direct: 'You are signed in with the address it was bought with.',
	add: 'Add it to my account',
	done: 'It is yours',
	doneText: 'It belongs to your account now.',
	open: 'Open your account',
	taken: 'It belongs to another account',
	takenText:
		'Somebody who had this address before has claimed it. If that was you, sign in with the address that account has now.',
	unknownText:
		'We know of no purchase with this reference. Please check the link, or write to whoever sold it to you.'
};
