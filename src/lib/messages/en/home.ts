export const home = {
	title: 'Sign in without a password',
	lede: 'Tell us your email address, we send you a short code, you type it in. There is no password to choose, to forget or to lose.',
	openApp: 'Open your account',
	developers: 'Building an app?',
	docs: 'Read the documentation',
	stepsTitle: 'How it works',
	steps: [
		{ title: 'Your address', text: 'New here or not, an email address is all it takes.' },
		{
			title: 'A code by mail',
			text: 'It works once, and only in the browser that asked for it.'
		},
		{
			title: 'You are in',
			text: 'This device remembers you until you sign out or stay away for long.'
		}
	]
};
