export const accountDeleted = {
	title: 'This account is deleted',
	lede: 'All devices are signed out, and the account is hidden.',
	purge: (date: string): string => `It will be permanently removed on ${date}.`,
	grace:
		'You can restore it for 30 days: sign in with its email address, and we’ll offer to restore it.',
	ask: 'Do you want to restore it? Everything is as you left it.',
	restore: 'Restore my account',
	leave: 'Keep it deleted',
	signIn: 'Sign in to restore it',
	home: 'Go to the home page'
};

export const signOut = {
	title: 'Sign out',
	lede: 'You are signed in as',
	text: 'This signs you out in this browser. Other devices stay signed in.',
	stay: 'Stay signed in'
};

export const app = {
	title: 'Your account',
	greeting: 'You’re signed in.',
	greetingByName: (name: string): string => `You’re signed in, ${name}.`,
	lede: 'Only people who are signed in can see this page.',
	email: 'Email address',
	since: 'Member since',
	until: 'Signed in until',
	restored: 'Your account is restored. Everything is as you left it.',
	whyTitle: 'Why this page is protected',
	why: 'This page isn’t on the list of public pages, so it needs a session. Pages that you add in src/routes are protected in the same way, without any code.'
};

export const verifyEmail = {
	title: 'Confirm your new email address',
	lede: 'Nothing has changed yet. When you confirm, your account moves to the new email address and all other devices are signed out.',
	from: 'Now',
	to: 'New',
	submit: 'Confirm this email address',
	later: 'Not now',
	signedOut:
		'Sign in with the account’s current email address to continue. If the device that requested this change has been signed out, request the change again in your settings.',
	refusedTitle: 'Nothing was changed',
	refusedAs: 'You are signed in as',
	noneTitle: 'Nothing to confirm',
	none: 'There’s no email change to confirm in this browser. Open the link in the email again, or request a new one in your settings.',
	settings: 'Go to the settings'
};
