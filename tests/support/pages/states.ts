import { accountPages } from './states/account.ts';
import { checkoutPages } from './states/checkout.ts';
import { signInPages } from './states/sign-in.ts';
import { sitePages } from './states/site.ts';

/**
 * Every page in every state it can be in, in the order of the pictures. What is listed here is both
 * in the pictures of `npm run screenshots` and looked at by the accessibility tests.
 */
export const pageStates = {
	site: sitePages,
	'sign-in': signInPages,
	account: accountPages,
	checkout: checkoutPages
} as const;
