export const settings = {
	title: 'Settings',
	nav: { label: 'Your pages', account: 'Account', settings: 'Settings' },
	profile: {
		title: 'Profile',
		lede: 'What we call you.',
		label: 'Name',
		hint: 'It may stay empty.',
		submit: 'Save name',
		saved: 'Your name is saved.'
	},
	email: {
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
		lostMailboxNoSupport:
			'No access to that address any more? Contact the people who run this site.',
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
	},
	sessions: {
		title: 'Where you are signed in',
		lede: 'Sign out whatever you do not recognise.',
		current: 'This device',
		signedIn: (date: string): string => `Signed in on ${date}`,
		lastActive: (date: string): string => `Last active on ${date}`,
		activeNow: 'Active now',
		end: 'Sign out',
		more: (count: number): string => (count === 1 ? 'One more device' : `${count} more devices`),
		alone: 'No other device is signed in.',
		endOthers: 'Sign out all other devices',
		endAll: 'Sign out everywhere',
		ended: 'That device is signed out.',
		othersEnded: 'All other devices are signed out.'
	},
	consent: {
		title: 'News and offers',
		lede: 'By email, from time to time.',
		given: 'You agreed to receive them.',
		givenOn: (date: string): string => `You agreed to receive them on ${date}.`,
		withdraw: 'You no longer want them? Write to',
		none: 'You have not agreed to receive them. This is optional.',
		agree: 'Yes, send me news and offers',
		agreed: 'Thank you. You will hear from us.'
	},
	deletion: {
		title: 'Delete account',
		lede: 'For good, after a time to think it over.',
		points: [
			'All devices are signed out at once.',
			'For 30 days you can restore it: just sign in again.',
			'After that it is gone for good, with everything that belongs to it.'
		],
		sure: 'I want to delete my account.',
		submit: 'Delete my account'
	}
};
