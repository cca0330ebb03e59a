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

export const signOut = {
	title: 'Sign out',
	lede: 'You are signed in as',
	text: 'Signing out ends the session of this browser. Other devices stay signed in.',
	stay: 'Stay signed in'
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

export const verifyEmail = {
	title: 'Confirm your new address',
	lede: 'Nothing has changed yet. When you confirm, your account moves to the new address and all other devices are signed out.',
	from: 'Now',
	to: 'New',
	submit: 'Confirm this address',
	later: 'Not now',
	signedOut:
		'Sign in with the account’s current address to continue. If you’ve signed out of the device that requested this change, the change is void: request it again in your settings.',
	refusedTitle: 'Nothing was changed',
	refusedAs: 'You are signed in as',
	noneTitle: 'Nothing to confirm',
	none: 'No change of address waits in this browser. Open the link in the mail once more, or ask for a new one in the settings.',
	settings: 'Go to the settings'
};
