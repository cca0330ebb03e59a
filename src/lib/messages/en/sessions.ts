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
