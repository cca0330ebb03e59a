/** Shown in place of an application that a proxy protects. */
export const forward = {
	notSaved:
		'You’re not signed in, so what you sent wasn’t saved. Sign in in another tab, then go back here and send it again.',
	notAllowed: 'Your account may not open this page. Ask the people who run this site.'
};
