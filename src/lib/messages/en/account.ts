export const accountDeleted = {
	title: 'This account is deleted',
	lede: 'All devices are signed out, and nothing of it is shown to anybody.',
	purge: (date: string): string => `On ${date} it will be removed for good.`,
	grace:
		'For 30 days it can be restored: sign in with its address as usual, and we will offer to bring it back.',
	ask: 'Do you want it back? Everything is as you left it.',
	restore: 'Restore my account',
	leave: 'Leave it deleted',
	signIn: 'Sign in to restore it',
	home: 'Go to the home page'
};

export const app = {
	title: 'Your account',
	greeting: 'You are in.',
	greetingByName: (name: string): string => `You are in, ${name}.`,
	lede: 'Only people who are signed in can see this page.',
	email: 'Email address',
	since: 'Member since',
	until: 'Signed in until',
	restored: 'Your account is restored. Everything is as you left it.',
	whyTitle: 'Why this page is protected',
	why: 'It is not on the list of public pages, and everything that is not on that list needs a session. Your own pages go in src/routes and are protected the same way, without a line of code.'
};

export const profile = {
	title: 'Profile',
	lede: 'What we call you.',
	label: 'Name',
	hint: 'It may stay empty.',
	submit: 'Save name',
	saved: 'Your name is saved.'
};

export const deletion = {
	title: 'Delete account',
	lede: 'For good, after a time to think it over.',
	points: [
		'All devices are signed out at once.',
		'For 30 days you can restore it: just sign in again.',
		'After that it is gone for good, with everything that belongs to it.'
	],
	sure: 'I want to delete my account.',
	submit: 'Delete my account'
};
