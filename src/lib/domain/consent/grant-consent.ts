import type { UseCaseDeps } from '../deps.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ConsentRecordId, UserId } from '../ids.ts';
import { secondsAfter, retryAfterSeconds } from '../time.ts';
import type { ConsentOccasion } from './ports.ts';

/**
 * Records a user's consent to marketing. An earlier consent keeps its time. The value is false when
 * the account is gone.
 *
 * Records are never removed, so the limit bounds what one account can store. It does not limit
 * withdrawals: each needs a consent before it.
 */
export const makeGrantConsent =
	({ consents, ids, clock, policy }: UseCaseDeps) =>
	async (
		userId: UserId,
		occasion: ConsentOccasion
	): Promise<Result<boolean, ErrorOf<'too_many_consents'>>> => {
		const at = clock.now();
		const { grants, window } = policy.consent;
		const granted = await consents.grantMarketing(
			{ id: ids.next() as ConsentRecordId, userId, at, occasion },
			{ grants, since: secondsAfter(at, -window) }
		);
		if (granted.kind !== 'too_many') return ok(granted.kind !== 'no_account');
		const free = secondsAfter(granted.oldest, window);
		return err({ code: 'too_many_consents', retryAfter: retryAfterSeconds(free, at) });
	};
