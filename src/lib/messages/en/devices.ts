/** The page of the link in an email about a sign-in on a new device. */
export const newDevice = {
	title: 'Don’t recognise this sign-in?',
	/** `device` is null if its session has ended. */
	submit: (device: string | null): string => `Sign out ${device ?? 'the device'}`,
	mine: 'If it was you, you can close this page.',
	doneTitle: 'The device is signed out',
	endedTitle: 'That sign-in has ended',
	next: 'Someone may be able to read your email. Change the password of your email account now, then check your settings.',
	settings: 'Go to your settings',
	unknownTitle: 'This link doesn’t work',
	unknown: 'You can sign the device out in your settings.'
};
