export const accountDeleted = {
	title: 'Your account is deleted',
	lede: 'You’re signed out on all devices.',
	purge: (date: string): string =>
		`If you don’t, the account and its data are permanently deleted on ${date}.`,
	grace:
		'You can restore it for 30 days: sign in with its email address. After that, the account and its data are permanently deleted.',
	ask: 'Do you want to restore it, with all its data?',
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
	/** In development only. */
	start:
		'Start in src/routes/app/+page.svelte. Pages that you add in src/routes are for signed-in people, too.'
};

export const profile = {
	title: 'Profile',
	lede: 'We use your name to greet you.',
	label: 'Name',
	hint: 'Optional',
	submit: 'Save name',
	saved: 'Your name was saved.',
	kept: 'Your name wasn’t saved, because you were signed out. It’s still here: check it and save it again.'
};

export const deletion = {
	title: 'Delete account',
	lede: 'You have 30 days to change your mind.',
	points: [
		'You’re signed out on all devices immediately.',
		'For 30 days, you can restore the account: sign in with its email address.',
		'After 30 days, the account and its data are permanently deleted.'
	],
	sure: 'I want to delete my account.',
	submit: 'Delete my account'
};
