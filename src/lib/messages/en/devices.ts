/** The page of the link in an email about a sign-in on a new device. */
export const newDevice = {
	title: 'Sign out this device?',
	signedIn: 'Signed in on',
	lede: 'The device is signed out immediately. Signing in there again needs a new code from your email.',
	submit: 'Sign out this device',
	mine: 'If it’s your device, you don’t need to do anything. Close this page.',
	doneTitle: 'The device is signed out',
	done: 'It can’t use your account any more without a new code from your email.',
	endedTitle: 'That sign-in has ended',
	nextTitle: 'What to do next',
	next: [
		'Someone entered a code that we sent to your email address. Change the password of your email account, and sign out other devices there.',
		'Sign in here and check your settings: your email address, and the devices where you’re signed in.'
	],
	contact: 'If something in your account has changed,',
	contactUs: 'contact us',
	settings: 'Go to your settings',
	unknownTitle: 'This link doesn’t work',
	unknown:
		'It may be incomplete. Copy the whole link from the email. If that doesn’t help, sign the device out in your settings.'
};
