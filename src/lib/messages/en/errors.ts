import { common } from './every-page.ts';

const later = (minutes: number): string =>
	minutes === 1 ? 'Try again in a minute.' : `Try again in ${minutes} minutes.`;

/** On the sign-in pages, for a browser or app in which nobody has signed in to the account yet. */
const unaffected = ' A browser or app that signed in before isn’t affected.';

const justSent = 'We’ve just sent a code to this email address.';

export const errors = {
	invalidEmail: 'We can’t send to that email address. Check it and try again.',
	emptyEmail: 'Enter your email address.',
	tooManySends: (minutes: number, isKnown: boolean): string =>
		`Too many emails were sent to this email address. ${later(minutes)}${isKnown ? '' : unaffected}`,
	/** The same while the button of the form shows the time. */
	tooManySendsNow: (isKnown: boolean): string =>
		`Too many emails were sent to this email address.${isKnown ? '' : unaffected}`,
	overBudget: (minutes: number, isKnown: boolean): string =>
		`We can’t send more emails right now. ${later(minutes)}${isKnown ? '' : unaffected}`,
	challengeRequired: 'Your browser has to do a short check first. Try again.',
	deliveryFailed: 'We couldn’t send the email. Try again in a moment.',
	invalidCode: 'That code isn’t right. Check the newest email, or request a new code.',
	invalidCodeAttempts: (left: number): string =>
		left === 0
			? 'That code isn’t right, and there are no attempts left. Request a new code.'
			: left === 1
				? 'That code isn’t right. You have one attempt left.'
				: `That code isn’t right. You have ${left} attempts left.`,
	codeElsewhere:
		'This browser has no code for this email address. Enter the code in the browser that asked for it.',
	expiredCode: 'That code has expired. Request a new one.',
	tooManyAttempts: 'Too many wrong attempts. Request a new code.',
	emptyName: 'Enter a name, or skip this question.',
	longName: (most: number): string => `That name is too long. Use at most ${most} characters.`,
	invalidName: 'That name contains characters that can’t be shown. Type it again.',
	unsure: 'Tick this box to delete your account.',
	sameEmail: 'Your account already has that email address.',
	emailTaken: 'Another account now uses this email address. Choose another one.',
	invalidLink:
		'This link no longer works. It was used, replaced, cancelled or has expired, isn’t for this account, or its device was signed out. Request the change again in your settings.',
	sessionNotFresh: 'We sent a code to your current email address. Enter it to continue.',
	linksOff: 'This site doesn’t send links to change an email address.',
	accountDeleted: (purgeAt: Date): string =>
		`This account was deleted. You can restore it until ${common.date(purgeAt)}.`,
	invalidRestoreGrant:
		'It’s been too long since you signed in. Sign in again to restore your account.',
	tooManyConsents: 'You changed this too often today. Try again tomorrow.',
	unknownUnsubscribeLink:
		'This link doesn’t work. Copy the whole link from the email, or use your settings.',
	resendTooSoon: (seconds: number): string =>
		`${justSent} You can request another one in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
	resendTooSoonNow: justSent
};
