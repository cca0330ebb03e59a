import { accountPages } from './states/account.ts';
import { checkoutPages } from './states/checkout.ts';
import { consentPages } from './states/consent.ts';
import { devicePages } from './states/devices.ts';
import { limitPages } from './states/limits.ts';
import { operatorPages } from './states/operators.ts';
import { signInPages } from './states/sign-in.ts';
import { sitePages } from './states/site.ts';

/**
 * Every page in each of its states, in the order of the screenshots. `npm run screenshots` and the
 * accessibility tests use this list.
 */
export const pageStates = [
	...sitePages,
	...signInPages,
	...accountPages,
	...devicePages,
	...consentPages,
	...checkoutPages,
	...operatorPages,
	...limitPages
];
