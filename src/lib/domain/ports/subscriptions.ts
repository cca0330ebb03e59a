import type { UserId } from '../ids.ts';

/** What an account pays for, as far as pages need to know. */
export type Subscription =
	| { readonly status: 'none' }
	/** It could not be found out just now. */
	| { readonly status: 'unknown' }
	| { readonly status: 'active'; readonly plan: string; readonly renewsAt: Date | null };

/** Where an application says what its users pay for. By default nobody pays for anything. */
export interface Subscriptions {
	of(userId: UserId): Promise<Subscription>;
}
