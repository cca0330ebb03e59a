export const home = {
	title: 'No password needed',
	lede: 'We email you a short code each time you sign in.',
	/** For search engines. */
	description: (site: string): string =>
		`Sign in to ${site} with a code sent to your email address. There’s no password to choose or forget.`,
	openApp: 'Open your account',
	/** For a person who is signed in. */
	back: 'Welcome back',
	backByName: (name: string): string => `Welcome back, ${name}`
};
