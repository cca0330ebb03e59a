export const accountDeleted = {
	title: 'This account is deleted',
	lede: 'All devices are signed out, and the account is hidden.',
	purge: (date: string): string => `It will be permanently removed on ${date}.`,
	grace: 'You can restore it for 30 days: sign in with its email address.',
	ask: 'Do you want to restore it? Everything is as you left it.',
	restore: 'Restore my account',
	leave: 'Keep it deleted',
	signIn: 'Sign in to restore it',
	home: 'Go to the home page',
	/** For a browser that deleted no account and was offered no restoration. */
	unknownTitle: 'Restore a deleted account',
	unknown: 'You can restore a deleted account for 30 days: sign in with its email address.'
};

export const app = {
	title: 'Your account',
	greeting: 'Welcome',
	greetingByName: (name: string): string => `Welcome, ${name}`,
	email: 'Email address',
	since: 'Member since',
	until: 'Signed in until',
	/** The next two are for developers, and only in development. */
	whyTitle: 'Why this page is protected',
	why: 'It isn’t on the list of public pages, so it needs a session. Pages that you add in src/routes are protected too.'
};

/** Asked once, on the account page of a new account. */
export const nameQuestion = {
	title: 'What should we call you?',
	lede: 'You can change your name in the settings at any time.',
	submit: 'Save name',
	skip: 'Skip'
};

export const profile = {
	title: 'Profile',
	lede: 'The name that we show.',
	label: 'Name',
	hint: 'Optional',
	submit: 'Save name',
	saved: 'Your name is saved.',
	kept: 'You were signed out before your name was saved. Check it and save it again.'
};

export const deletion = {
	title: 'Delete account',
	lede: 'Permanently, after 30 days.',
	points: [
		'All devices are signed out at once.',
		'You can restore it for 30 days by signing in again.',
		'After that, it’s permanently removed with everything that belongs to it.'
	],
	sure: 'I want to delete my account.',
	submit: 'Delete my account'
};
