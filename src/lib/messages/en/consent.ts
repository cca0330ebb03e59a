/**
 * On the sign-up page. A consent is stored with the label and its version, so give a changed label a
 * new version. A test compares them.
 */
export const consent = {
	version: 'sign-up-1',
	label: 'Send me news and offers from time to time. This is optional.'
};

/** On the settings page. Decisions are stored with these texts as well (occasion.ts). */
export const consentSettings = {
	title: 'News and offers',
	lede: 'By email, from time to time.',
	given: 'You agreed to receive them.',
	givenOn: (date: string): string => `You agreed to receive them on ${date}.`,
	none: 'You don’t receive them.',
	agreeVersion: 'settings-agree-1',
	agree: 'Yes, send me news and offers',
	agreed: 'You’ll get news and offers by email from now on.',
	withdrawVersion: 'settings-withdraw-1',
	withdraw: 'Stop news and offers',
	withdrawn: 'You won’t get news and offers any more.'
};

/** The page of an unsubscribe link. A withdrawal is stored with the text before the button. */
export const unsubscribe = {
	version: 'unsubscribe-1',
	title: 'Stop news and offers?',
	lede: (site: string): string =>
		`${site} will stop sending you news and offers by email. You’ll still get emails about your account, such as sign-in codes.`,
	submit: 'Stop news and offers',
	doneTitle: 'You’re unsubscribed',
	again: 'Changed your mind? You can turn them on again in your settings.',
	settings: 'Go to your settings',
	unknownTitle: 'This link doesn’t work',
	unknown:
		'It may be incomplete, or the account no longer exists. Copy the whole link from the email. If that doesn’t help, stop news and offers in your settings.'
};
