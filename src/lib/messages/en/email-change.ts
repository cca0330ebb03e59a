export const verifyEmail = {
	title: 'Confirm your new email address',
	lede: 'Nothing has changed yet. When you confirm, your account moves to the new email address and all other devices are signed out.',
	from: 'Now',
	to: 'New',
	submit: 'Confirm this email address',
	later: 'Not now',
	signedOut:
		'Sign in with the account’s current email address to continue. If the device that requested this change has been signed out, request the change again in your settings.',
	appliedTitle: 'Already confirmed',
	applied: 'Your email address is already',
	refusedTitle: 'Nothing was changed',
	refused:
		'This link doesn’t work for your account. It may be for another account. Or it was used, replaced or cancelled, has expired, or the device that requested it was signed out.',
	switchAccount: 'Sign out and use another account',
	refusedAs: 'You are signed in as',
	noneTitle: 'Nothing to confirm',
	none: 'There’s no email change to confirm in this browser. Open the link in the email again, or request a new one in your settings.',
	settings: 'Go to the settings'
};

export const emailChange = {
	title: 'Email address',
	lede: 'We send sign-in codes to it.',
	current: 'Your email address',
	label: 'New email address',
	hint: 'We’ll email a link to confirm it. Nothing changes until you open the link and confirm, in a browser where you’re signed in.',
	submit: 'Send me a link',
	off: 'On this site, you can’t change your email address with a link.',
	reauthentication: (minutes: number): string =>
		`You signed in more than ${minutes} minutes ago, so we first email a code to your current email address.`,
	lostMailbox: 'Can’t read email at that address any more? Write to',
	lostMailboxNoSupport:
		'Can’t read email at that address any more? Contact the operators of this site.',
	proofSent: (email: string): string => `We sent a code to ${email}. Enter it to continue.`,
	proceed: 'Continue',
	sendProof: 'Send another code',
	proofLabel: 'Code from your current email address',
	sent: (email: string, time: string): string =>
		`If ${email} can be used, we sent a link to it. It works for ${time}, as long as this device stays signed in.`,
	kept: 'You were signed out before your request was sent. Check the new email address and send it again.',
	cancelled: 'The change is cancelled. Your email address stays the same.',
	waiting: 'Waiting to be confirmed',
	waitingLink: (time: string): string =>
		`If it can be used, we sent a link to it. Open it within ${time}, in a browser where you’re signed in, and confirm. Signing out of the device that requested it cancels the change.`,
	waitingCode: (time: string): string =>
		`If it can be used, we sent a code to it. Enter the code within ${time}, where you requested it.`,
	cancel: 'Cancel this change'
};
