import { common } from './every-page.ts';

export const errors = {
	invalidEmail: 'That is not an email address we can send to. Please check it.',
	emptyEmail: 'Please enter your email address.',
	tooManySends: (minutes: number): string =>
		minutes === 1
			? 'Too many codes were sent to this address. Please try again in a minute.'
			: `Too many codes were sent to this address. Please try again in ${minutes} minutes.`,
	deliveryFailed: 'We could not send the mail. Please try again in a moment.',
	invalidCode: 'That code is not right. Please check the newest mail, or ask for a new code.',
	invalidCodeAttempts: (left: number): string =>
		left === 0
			? 'That code is not right, and it has no attempts left. Please ask for a new one.'
			: left === 1
				? 'That code is not right. You have one attempt left.'
				: `That code is not right. You have ${left} attempts left.`,
	expiredCode: 'That code has expired. Please ask for a new one.',
	tooManyAttempts: 'There were too many wrong attempts. Please ask for a new code.',
	longName: (most: number): string => `That name is too long. It may have ${most} characters.`,
	invalidName: 'That name holds characters that cannot be shown. Please type it again.',
	unsure: 'Please tick this if you want to delete your account.',
	sameEmail: 'That is the address your account has already.',
	emailTaken: 'Another account uses this address by now. Please choose another one.',
	invalidLink:
		'This link no longer works. It was used, replaced or cancelled, it is more than an hour old, it belongs to another account, or the device that requested it has been signed out since. Request the change again in your settings.',
	sessionNotFresh: 'We sent a code to your current address. Enter it to continue.',
	linksOff: 'Changing the address by a link is switched off on this site.',
	accountDeleted: (purgeAt: Date): string =>
		`This account was deleted. It can be restored until ${common.date(purgeAt)}.`,
	invalidRestoreGrant: 'The time to restore has run out. Please sign in again to go on.',
	resendTooSoon: (seconds: number): string =>
		seconds === 1
			? 'You can ask for another code in one second.'
			: `You can ask for another code in ${seconds} seconds.`
};
