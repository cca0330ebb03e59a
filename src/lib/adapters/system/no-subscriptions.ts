import type { Subscriptions } from '#lib/domain/ports/subscriptions.ts';

/** For applications that sell nothing, and until one says otherwise. */
export const noSubscriptions = (): Subscriptions => ({
	of: async () => ({ status: 'none' })
});
