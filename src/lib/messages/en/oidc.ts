export const applications = {
	title: 'Applications',
	end: 'Remove access',
	ended: 'The application was removed. It can no longer read your data.'
};

/** Signing in to other applications. */
export const oidc = {
	/** On the sign-in page. */
	continueTo: (application: string): string => `Sign in to continue to ${application}`,
	invalid:
		'The application sent a request that isn’t valid, so you weren’t signed in there. Tell the people who run it.'
};
