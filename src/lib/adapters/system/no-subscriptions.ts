import type { Subscriptions } from '#lib/domain/account/ports.ts';

/** The default, for applications that sell nothing. */
export const noSubscriptions = (): Subscriptions => ({
	of: async () => ({ status: 'none' })
});
