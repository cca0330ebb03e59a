import { UNDO_DAYS } from '#lib/domain/policy.ts';

export const confirmEmailChange = {
	title: 'Confirm your new email address',
	effect: 'All other devices will be signed out.',
	undo: (current: string): string =>
		`For ${UNDO_DAYS} days, anyone who can read email at ${current} can change it back.`,
	noUndo: 'Your current email address can’t change it back.',
	from: 'Current',
	to: 'New',
	submit: 'Confirm the new address',
	later: 'Not now',
	signedOutTitle: 'Sign in to confirm your new email address',
	signedOut: 'Use your current email address, not the new one.',
	appliedTitle: 'Email address changed',
	applied: 'From now on, sign in with',
	refused: (account: string): string =>
		`If it has expired, request the change again. If it’s not for ${account}, sign out.`,
	again: 'Request the change again',
	switchAccount: 'Sign out and use another account',
	noneTitle: 'This link doesn’t work',
	none: 'Copy the whole link from the email. If it has expired, request the change again in your settings.',
	settings: 'Go to your settings'
};

/** The page of the link in the notice to the old email address. */
export const undoEmailChange = {
	title: 'Change your email address back?',
	from: 'Current',
	to: 'Change back to',
	effect: 'All devices will be signed out.',
	submit: 'Change it back',
	mine: 'If you made this change, you can close this page.',
	unknownTitle: 'This link doesn’t work',
	unknown: `Copy the whole link from the email. It works once, within ${UNDO_DAYS} days. If you already used it, sign in with your earlier email address.`,
	contact: 'If neither works,',
	contactUs: 'get help'
};

export const emailChange = {
	title: 'Email address',
	change: 'Change',
	label: 'New email address',
	hint: 'We’ll email a link to the new address. Nothing changes until you confirm.',
	submit: 'Send me a link',
	off: 'You can’t change your email address on this page. If you use an app of this site, you can change it there.',
	reauthentication:
		'First, we’ll email a code to your current address, then a link to the new one.',
	lostMailbox: 'Can’t read email at your current address?',
	getHelp: 'Get help',
	/** The current email address follows, then where the link goes. */
	codeSent: (isSecond: boolean): string =>
		isSecond ? 'Enter the new code that we sent to' : 'Enter the code that we sent to',
	codeFor: 'Then we’ll email a link to',
	proceed: 'Continue',
	cancelled: 'The change was cancelled. Your email address stays the same.',
	current: 'Current',
	waiting: 'New, not confirmed yet',
	/** Everybody reads it, so it says of no email address whether an account has it. */
	noEmail: 'No email? The address may already have an account.',
	waitingLink: 'Open the link in our email, in a browser where you’re signed in.',
	waitingCode: 'Enter the code from our email in the app where you requested it.',
	again: 'Send again',
	requestedAgain: 'Requested again. Only the newest email works.'
};
