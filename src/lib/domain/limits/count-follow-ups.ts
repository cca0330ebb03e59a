import { withBoundMethods } from '../bound-methods.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import type { Outbox } from '../use-cases.ts';
import type { SiteCounts } from './site-counts.ts';

export interface CountFollowUpsDeps {
	readonly siteCounts: SiteCounts;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

/**
 * Counts each email that nothing counted before: welcome emails and notices, which use `post`.
 * Codes and links use `postIf` or the mailer, and `throttleSend` has counted them. A follow-up is
 * never refused, because it can be a notice that an account has changed. A site that counts no emails
 * counts none of these.
 */
export const countFollowUps = (
	given: Outbox,
	{ siteCounts, clock, policy }: CountFollowUpsDeps
): Outbox => {
	const outbox = withBoundMethods(given);
	if (policy.budget.limit === 'off') return outbox;
	return {
		...outbox,
		post: async (mail) => {
			await siteCounts.countEmail(clock.now(), policy);
			return outbox.post(mail);
		}
	};
};
