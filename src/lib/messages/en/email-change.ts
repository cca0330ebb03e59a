export const verifyEmail = {
	title: 'Confirm your new address',
	lede: 'Nothing has changed yet. When you confirm, your account moves to the new address and all other devices are signed out.',
	from: 'Now',
	to: 'New',
	submit: 'Confirm this address',
	later: 'Not now',
	signedOut:
		'Sign in with the account’s current address to continue. If you’ve signed out of the device that requested this change, the change is void: request it again in your settings.',
	refusedTitle: 'Nothing was changed',
	refusedAs: 'You are signed in as',
	noneTitle: 'Nothing to confirm',
	none: 'No change of address waits in this browser. Open the link in the mail once more, or ask for a new one in the settings.',
	settings: 'Go to the settings'
};

export const emailChange = {
	title: 'Email address',
	lede: 'Codes for signing in go to it.',
	current: 'Your address',
	label: 'New email address',
	hint: 'We’ll email a link to confirm it. Nothing changes until you open the link and confirm, in a browser where you’re signed in.',
	submit: 'Send me a link',
	off: 'On this site the address cannot be changed by a link.',
	reauthentication: (minutes: number): string =>
		`You signed in more than ${minutes} minutes ago, so we first email a code to your current address.`,
	lostMailbox: 'No access to that address any more? Write to',
	lostMailboxNoSupport: 'No access to that address any more? Contact the people who run this site.',
	proofSent: (email: string): string => `We sent a code to ${email}. Enter it to continue.`,
	proceed: 'Continue',
	sendProof: 'Send another code',
	proofLabel: 'Code from your current address',
	sent: (email: string, time: string): string =>
		`If ${email} can be used, we sent a link to it. It works for ${time}, as long as this device stays signed in.`,
	cancelled: 'The change is cancelled. Your address stays as it is.',
	changed: 'Your address is changed. All other devices are signed out.',
	waiting: 'Waiting to be confirmed',
	waitingLink: (time: string): string =>
		`If it can be used, we sent a link to it. Open it within ${time}, in a browser where you’re signed in, and confirm. Signing out of the device that requested it cancels the change.`,
	waitingCode: (time: string): string =>
		`If it can be used, we sent a code to it. Enter the code within ${time}, where you requested it.`,
	cancel: 'Cancel this change'
};
