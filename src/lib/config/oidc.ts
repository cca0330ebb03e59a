import { z } from 'zod';
import { onOff, type Refuse } from './settings.ts';

export const oidcSettings = z.object({
	OIDC: onOff.default(false),
	OIDC_PRIVATE_CLIENTS: onOff.default(false)
});

/** Null when no application can sign in here. */
export const oidcConfig = (set: z.output<typeof oidcSettings>, refuse: Refuse) => {
	if (set.OIDC) return { mayCallPrivateAddresses: set.OIDC_PRIVATE_CLIENTS };
	if (set.OIDC_PRIVATE_CLIENTS) {
		refuse('OIDC_PRIVATE_CLIENTS', 'it has no effect without OIDC=on. Set that, or remove it');
	}
	return null;
};
