import type { UserId } from '../ids.ts';

/** The subscription of an account, as far as pages need it. */
export type Subscription =
	| { readonly status: 'none' }
	/** The lookup failed. */
	| { readonly status: 'unknown' }
	| { readonly status: 'active'; readonly plan: string; readonly renewsAt: Date | null };

/** Lets an application report its users' subscriptions. By default nobody has one. */
export interface Subscriptions {
	of(userId: UserId): Promise<Subscription>;
}
