import type { UserId } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Consents } from './consents.ts';

/** Notes that a person agreed to marketing. There is no taking it back here; the first time counts. */
export type GrantConsent = (userId: UserId) => Promise<boolean>;

export interface GrantConsentDeps {
	readonly consents: Consents;
	readonly clock: Clock;
}

export const makeGrantConsent =
	({ consents, clock }: GrantConsentDeps): GrantConsent =>
	(userId) =>
		consents.grantMarketing(userId, clock.now());
