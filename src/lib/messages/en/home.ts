export const home = {
	title: 'Sign in without a password',
	lede: 'We email you a short code instead.',
	openApp: 'Open your account',
	/** For a person who is signed in. */
	back: 'Welcome back',
	backByName: (name: string): string => `Welcome back, ${name}`,
	developers: 'Building an app?',
	docs: 'Read the documentation',
	stepsTitle: 'How it works',
	steps: [
		'Enter your email address.',
		'Enter the code from our email in the same browser.',
		'You’re signed in.'
	]
};
