import { accountPages } from './states/account.ts';
import { checkoutPages } from './states/checkout.ts';
import { consentPages } from './states/consent.ts';
import { proofPages } from './states/proof.ts';
import { signInPages } from './states/sign-in.ts';
import { sitePages } from './states/site.ts';

/**
 * Every page in each of its states, in the order of the screenshots. `npm run screenshots` and the
 * accessibility tests use this list.
 */
export const pageStates = {
	site: sitePages,
	'sign-in': signInPages,
	account: accountPages,
	consent: consentPages,
	checkout: checkoutPages,
	proof: proofPages
} as const;
