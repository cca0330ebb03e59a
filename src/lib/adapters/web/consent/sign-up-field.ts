import { z } from 'zod';

/** In the body of a sign-in. Only `true` counts as consent. Any other value of any type does not. */
export const marketingOptIn = z
	.unknown()
	.optional()
	.describe(
		'True records consent to marketing if this call creates the account. Any other value means no consent.'
	);
