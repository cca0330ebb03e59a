import { accountPages } from './states/account.ts';
import { checkoutPages } from './states/checkout.ts';
import { consentPages } from './states/consent.ts';
import { devicePages } from './states/devices.ts';
import { eventPages } from './states/events.ts';
import { limitPages } from './states/limits.ts';
import { applicationPages, operatorPages } from './states/operators.ts';
import { refusedPages } from './states/refused.ts';
import { signInPages } from './states/sign-in.ts';
import { sitePages } from './states/site.ts';

/**
 * Every page in each of its states, in the order of the screenshots. `npm run screenshots` and the
 * accessibility tests use this list.
 */
export const pageStates = {
	site: sitePages,
	'sign-in': signInPages,
	refused: refusedPages,
	account: accountPages,
	devices: devicePages,
	events: eventPages,
	consent: consentPages,
	checkout: checkoutPages,
	operators: operatorPages,
	applications: applicationPages,
	limits: limitPages
} as const;
