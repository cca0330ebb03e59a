export const applications = {
	title: 'Applications',
	lede: 'You signed in to these with this account.',
	end: 'Remove',
	ended: 'The application was removed. It can no longer read your data.'
};

/** Signing in to other applications. */
export const oidc = {
	/** On the sign-in page. */
	continueTo: (application: string): string => `To continue to ${application}`,
	invalid:
		'The application sent a request that isn’t valid, so you weren’t signed in there. Tell the people who run it.'
};
