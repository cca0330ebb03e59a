import { marketingBox } from './consent/consent-box.ts';
import { marketingOptIn } from './consent/sign-up-field.ts';
import type { ConsentBox } from './sign-in/consent-box.ts';

// The parts that an application can leave out, as the sign-in flow and the composition root know them.

/** The box of the pages that sign up. Null without one. */
export const consentBox: ConsentBox | null = marketingBox;

/** Fields of the sign-in call for a new account. */
export const signUpFields = {
	marketingOptIn
};
