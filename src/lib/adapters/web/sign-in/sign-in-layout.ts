import type { SignInPage } from '#lib/view/sign-in.ts';
import type { Config } from '#lib/config.server.ts';

/**
 * The path of an entry page in the configured layout. A link to a page of the other layout leads to
 * its counterpart.
 */
export const signInPagePath = (
	layout: Config['signInLayout'],
	page: SignInPage
): '/auth/sign-in' | '/auth/sign-up' | '/auth/login' => {
	if (layout === 'single') return '/auth/login';
	return page === 'sign-up' ? '/auth/sign-up' : '/auth/sign-in';
};
