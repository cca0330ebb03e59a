import { signInLayouts, type SignInLayout, type SignInPage } from '#lib/sign-in-layouts.ts';

/**
 * The path of an entry page in the configured layout. A link to a page of the other layout leads to
 * its counterpart.
 */
export const signInPagePath = (layout: SignInLayout, page: SignInPage): `/auth/${SignInPage}` => {
	const { signIn, signUp } = signInLayouts[layout];
	return page === 'sign-up' ? signUp : signIn;
};
