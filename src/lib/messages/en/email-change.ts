export const verifyEmail = {
	title: 'Confirm your new email address',
	points: (current: string): readonly string[] => [
		'All other devices will be signed out.',
		`For 7 days, anyone who can read email at ${current} can change it back.`
	],
	from: 'Current',
	to: 'New',
	submit: 'Confirm this email address',
	later: 'Not now',
	signedOut: 'To continue, sign in with your current email address, not the new one.',
	appliedTitle: 'Already confirmed',
	applied: 'Your email address is already',
	refusedTitle: 'Nothing was changed',
	refused: 'This link has expired, was replaced, or is for another account.',
	switchAccount: 'Sign out and use another account',
	noneTitle: 'Nothing to confirm',
	none: 'This browser has no email change to confirm. Open the link in the email again, or request the change again in your settings.',
	settings: 'Go to your settings'
};

/** The page of the link in the notice to the old email address. */
export const undoEmailChange = {
	title: 'Change your email address back?',
	from: 'Current',
	to: 'Earlier',
	lede: 'All devices will be signed out. Then sign in with your earlier email address.',
	submit: 'Change it back',
	until: (time: string): string => `You can do this until ${time}.`,
	unknownTitle: 'This link doesn’t work',
	unknown:
		'It was used, it’s incomplete, or the 7 days after the change are over. Sign in to check your email address.',
	contact: 'If you still need help with your account,',
	contactUs: 'contact us'
};

export const emailChange = {
	title: 'Email address',
	change: 'Change',
	label: 'New email address',
	hint: 'We’ll email a link to it. Nothing changes until you confirm.',
	submit: 'Send me a link',
	off: 'You can’t change your email address on this page. If you use an app of this site, you can change it there.',
	reauthentication: 'First, we’ll email a code to your current email address.',
	lostMailbox: 'Can’t read email there? Contact us:',
	lostMailboxNoSupport: 'Can’t read email there? Contact the people who run this site.',
	codeSent: (email: string): string =>
		`You signed in a while ago. To continue, enter the code we sent to ${email}.`,
	codeResent: (email: string): string => `We sent a new code to ${email}.`,
	proceed: 'Continue',
	resendCode: 'Send a new code',
	codeLabel: (email: string): string => `Code from ${email}`,
	kept: 'Your request wasn’t sent, because you were signed out. The new email address is still here: check it and send it again.',
	cancelled: 'The change was cancelled. Your email address stays the same.',
	waiting: 'Not confirmed yet',
	waitingLink: (time: string): string =>
		`Open the link in the email within ${time}, where you’re signed in. No email comes if another account has this address.`,
	waitingCode: (time: string): string =>
		`Enter the code from the email within ${time}, where you requested it. No email comes if another account has this address.`,
	again: 'Send again',
	cancel: 'Cancel the change'
};
