import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ConsentRecordId, Ids, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import { secondsAfter, wholeSecondsUntil, type Clock } from '../time.ts';
import type { ConsentOccasion, Consents } from './ports.ts';

/**
 * Records a user's consent to marketing. An earlier consent keeps its time. The value is false when
 * the account is gone.
 */
export type GrantConsent = (
	userId: UserId,
	occasion: ConsentOccasion
) => Promise<Result<boolean, ErrorOf<'too_many_consents'>>>;

export interface GrantConsentDeps {
	readonly consents: Consents;
	readonly ids: Ids;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

/**
 * Records are never removed, so the limit bounds what one account can store. It does not limit
 * withdrawals: each needs a consent before it.
 */
export const makeGrantConsent =
	({ consents, ids, clock, policy }: GrantConsentDeps): GrantConsent =>
	async (userId, occasion) => {
		const at = clock.now();
		const { grants, window } = policy.consent;
		const granted = await consents.grantMarketing(
			{ id: ids.next() as ConsentRecordId, userId, at, occasion },
			{ grants, since: secondsAfter(at, -window) }
		);
		if (granted.kind !== 'too_many') return ok(granted.kind !== 'no_account');
		const free = secondsAfter(granted.oldest, window);
		return err({ code: 'too_many_consents', retryAfter: wholeSecondsUntil(free, at) });
	};
