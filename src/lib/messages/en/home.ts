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
		{ title: 'Your email address', text: 'It’s all you need.' },
		{ title: 'The code', text: 'Enter it in the browser where you requested it.' },
		{ title: 'You’re signed in', text: 'On a shared device, sign out when you finish.' }
	]
};
