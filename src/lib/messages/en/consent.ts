/**
 * On the sign-up page. A consent is stored with the label and its version, so give a changed label a
 * new version. A test compares them.
 */
export const consent = {
	version: 'sign-up-2',
	label: 'Email me news and offers (optional)'
};

/** On the settings page. Decisions are stored with these texts as well (occasion.ts). */
export const consentSettings = {
	title: 'News and offers',
	given: 'You get news and offers by email.',
	none: 'You don’t get news and offers by email.',
	agreeVersion: 'settings-agree-2',
	agree: 'Turn on',
	withdrawVersion: 'settings-withdraw-3',
	withdraw: 'Turn off'
};

/** The page of an unsubscribe link. A withdrawal is stored with its title, text and button. */
export const unsubscribe = {
	version: 'unsubscribe-3',
	title: 'Turn off news and offers?',
	lede: (site: string): string =>
		`${site} will stop emailing you news and offers. You’ll still get emails about your account.`,
	submit: 'Turn off',
	doneTitle: 'News and offers are turned off',
	again: 'You can turn them on again in your settings.',
	settings: 'Go to your settings',
	unknownTitle: 'This link doesn’t work',
	unknown:
		'Copy the whole link from the email. If it still doesn’t work, turn off news and offers in your settings.'
};
