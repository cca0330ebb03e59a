import { common } from './every-page.ts';
import { code } from './sign-in.ts';

const justSent = 'We’ve just sent a code to this email address.';

export const errors = {
	invalidEmail: 'Enter a complete email address, such as name@example.com.',
	emptyEmail: 'Enter your email address.',
	tooManySends: (isKnown: boolean): string =>
		isKnown
			? 'Too many emails were sent to this address.'
			: 'Too many emails were sent to this address. Wait, or use a browser or app where you’ve signed in before.',
	overBudget: 'We can’t send more emails this hour. Wait, then try again.',
	tooManyNetworkSends:
		'Too many emails were requested from your network. Wait, or use another network and reload this page.',
	tooManyWrongCodes:
		'Too many wrong codes came from your network. Wait, or use another network and reload this page.',
	proofRequired: 'Your browser needs to do a short check first. Try again.',
	deliveryFailed: 'We couldn’t send the email. Try again in a moment.',
	addressRefused: 'The mail server refused our email. Check the email address.',
	invalidCode: 'That code isn’t right. Check it, or request a new one.',
	invalidCodeAttempts: (left: number): string =>
		left === 0
			? 'That code isn’t right, and there are no attempts left. Request a new code.'
			: `That code isn’t right. ${code.attempts(left)}`,
	expiredCode: 'That code has expired. Request a new one.',
	tooManyAttempts: 'Too many wrong attempts. Request a new code.',
	longName: (most: number): string => `Use at most ${most} characters.`,
	invalidName: 'That name contains characters that we can’t show. Delete it and type it again.',
	unsure: 'Tick this box first.',
	sameEmail: 'Your account already has that email address.',
	emailTaken: 'Another account now has this email address. Choose a different one.',
	invalidLink: 'This link no longer works.',
	invalidChangeLink:
		'This link no longer works. It has expired, or was used, replaced or cancelled.',
	sessionNotFresh: 'We sent a code to your current email address. Enter it to continue.',
	linksOff: 'You can’t change your email address on this page.',
	accountDeleted: (purgeAt: Date): string =>
		`This account was deleted. You can restore it until ${common.date(purgeAt)}.`,
	accountBlocked: 'This account is blocked, so you can’t sign in to it.',
	tooManyConsents: 'You’ve changed this too often today. Nothing was changed. Try again tomorrow.',
	addressReserved:
		'This email address belonged to an account until its email address was changed. You can change it back.',
	resendTooSoon: (seconds: number): string =>
		`${justSent} You can request another one in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
	resendTooSoonNow: justSent
};
