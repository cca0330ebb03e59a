/** One line on the page that a person reaches for this reason. */
export const flashes = {
	'signed-out': 'You’re signed out.',
	'account-created': 'We created your account.',
	'session-ended': 'You were signed out on this device.',
	'session-expired': 'Your session has expired.',
	'account-restored': 'Your account was restored, with all its data.',
	'email-restored':
		'Your email address was changed back, and all devices were signed out. Sign in to check your settings.',
	'email-changed': 'Your email address was changed. All other devices were signed out.'
};

/** The flash messages that say that something was done. The others state a fact. */
export const successFlashes: readonly string[] = [
	'account-created',
	'account-restored',
	'email-restored',
	'email-changed'
] satisfies readonly (keyof typeof flashes)[];

export const signOut = {
	title: 'Sign out of this browser?',
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
	forget: 'Forget',
	page: (page: number, pages: number): string => `Page ${page} of ${pages}`,
	previous: 'Previous',
	next: 'Next',
	endOtherSessions: 'Sign out all other devices',
	ended: 'That device was signed out.',
	forgotten: 'That device was forgotten.',
	othersEnded: 'All other devices were signed out.'
};
