export const home = {
	title: 'Sign in without a password',
	lede: 'Each time you sign in, we email you a code.',
	/** For search engines. */
	description: (site: string): string =>
		`Sign in to ${site} with a code sent to your email address. There’s no password to choose or forget.`,
	openApp: 'Open your account',
	/** For a person who is signed in. */
	back: 'Welcome back',
	backByName: (name: string): string => `Welcome back, ${name}`
};
