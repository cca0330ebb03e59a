export const home = {
	title: 'Sign in without a password',
	lede: 'We email you a short code instead.',
	openApp: 'Open your account',
	/** For a person who is signed in. */
	back: 'Welcome back',
	backByName: (name: string): string => `Welcome back, ${name}`
};
