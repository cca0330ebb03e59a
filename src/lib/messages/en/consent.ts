/** On the sign-up page. */
export const consent = {
	label: 'Send me news and offers from time to time. This is optional.'
};

/** On the settings page. */
export const consentSettings = {
	title: 'News and offers',
	lede: 'By email, from time to time.',
	given: 'You agreed to receive them.',
	givenOn: (date: string): string => `You agreed to receive them on ${date}.`,
	withdraw: 'To stop receiving them, write to',
	none: 'You have not agreed to receive them. This is optional.',
	agree: 'Yes, send me news and offers',
	agreed: 'Thank you. We’ll send you news and offers.'
};
