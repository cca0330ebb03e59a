export const signOut = {
	title: 'Sign out on this device?',
	stay: 'Stay signed in'
};

export const sessions = {
	title: 'Your devices',
	current: 'This device',
	/** A time follows, after both. */
	signedIn: 'Signed in',
	lastActive: 'Last active',
	end: 'Sign out',
	signedOut: 'Signed out',
	remove: 'Remove',
	removal: 'If you don’t recognise it, remove it. We’ll email you if it signs in again.',
	page: (page: number, pages: number): string => `Page ${page} of ${pages}`,
	previous: 'Previous',
	next: 'Next',
	endOtherSessions: 'Sign out all other devices',
	ended: 'That device was signed out.',
	removed: 'That device was removed.',
	othersEnded: 'All other devices were signed out.'
};

/** Devices, put into words by device-name.ts. */
export const device = {
	unknown: 'an unknown device',
	unknownProgram: 'an unknown program',
	app: (technique: string): string => `an app (${technique})`,
	on: (program: string, system: string): string => `${program} on ${system}`
};

/** The page of the link in an email about a sign-in on a new device. */
export const newDevice = {
	title: 'Don’t recognise this sign-in?',
	submit: (device: string): string => `Sign out ${device}`,
	/** Once it signed out. */
	signedOutTitle: 'The device is already signed out',
	remove: (device: string): string => `Remove ${device}`,
	mine: 'If you recognise it, you can close this page.',
	doneTitle: 'The device is signed out',
	endedTitle: 'That sign-in has ended',
	next: 'Now change the password of your email account.',
	signsInAgain: 'If that device signs in again, we’ll email you.',
	settings: 'Check your devices',
	unknownTitle: 'This link doesn’t work',
	unknown:
		'Copy the whole link from the email. If it still doesn’t work, check the devices in your settings.'
};
