import type { UserId } from '../ids.ts';
import type { Clock } from '../clock.ts';
import type { Consents } from './consents.ts';

/**
 * Records a user's consent to marketing. It cannot be withdrawn here, and the first time is kept.
 */
export type GrantConsent = (userId: UserId) => Promise<boolean>;

export interface GrantConsentDeps {
	readonly consents: Consents;
	readonly clock: Clock;
}

export const makeGrantConsent =
	({ consents, clock }: GrantConsentDeps): GrantConsent =>
	(userId) =>
		consents.grantMarketing(userId, clock.now());

export const consent = { grantConsent: makeGrantConsent };
