import type { Subscriptions } from '#lib/domain/account/subscriptions.ts';

/** The default, for applications that sell nothing. */
export const noSubscriptions = (): Subscriptions => ({
	of: async () => ({ status: 'none' })
});
