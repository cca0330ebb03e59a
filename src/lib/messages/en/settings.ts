export const settings = {
	title: 'Settings',
	nav: { label: 'Your pages', account: 'Account', settings: 'Settings' },
	profile: {
		title: 'Profile',
		lede: 'The name that we show.',
		label: 'Name',
		hint: 'Optional',
		submit: 'Save name',
		saved: 'Your name is saved.'
	},
	email: {
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
		cancelled: 'The change is cancelled. Your email address stays the same.',
		changed: 'Your email address is changed. All other devices are signed out.',
		waiting: 'Waiting to be confirmed',
		waitingLink: (time: string): string =>
			`If it can be used, we sent a link to it. Open it within ${time}, in a browser where you’re signed in, and confirm. Signing out of the device that requested it cancels the change.`,
		waitingCode: (time: string): string =>
			`If it can be used, we sent a code to it. Enter the code within ${time}, where you requested it.`,
		cancel: 'Cancel this change'
	},
	sessions: {
		title: 'Where you’re signed in',
		lede: 'Sign out any device you don’t recognise.',
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
		withdraw: 'To stop receiving them, write to',
		none: 'You have not agreed to receive them. This is optional.',
		agree: 'Yes, send me news and offers',
		agreed: 'Thank you. We’ll send you news and offers.'
	},
	deletion: {
		title: 'Delete account',
		lede: 'Permanently, after 30 days.',
		points: [
			'All devices are signed out at once.',
			'You can restore it for 30 days by signing in again.',
			'After that, it’s permanently removed with everything that belongs to it.'
		],
		sure: 'I want to delete my account.',
		submit: 'Delete my account'
	}
};
