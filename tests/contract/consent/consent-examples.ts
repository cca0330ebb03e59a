import type { ConsentChange, ConsentOccasion, GrantLimit } from '#lib/domain/consent/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { at, newRecordId } from '../stores/examples.ts';

export const onSignUp = {
	source: 'page',
	place: '/auth/sign-up',
	wording: { version: 'sign-up-1', text: 'Send me news “and” offers.' }
} as const satisfies ConsentOccasion;
export const inAnApp: ConsentOccasion = {
	source: 'app',
	place: '/api/marketing-consent',
	wording: null
};

export const byComplaint: ConsentOccasion = { source: 'complaint', place: null, wording: null };

/** A decision at the given second. */
export const aDecision = (
	userId: UserId,
	seconds = 5,
	occasion: ConsentOccasion = onSignUp
): ConsentChange => ({ id: newRecordId(), userId, at: at(seconds), occasion });

/** More than any example uses. */
export const FREE: GrantLimit = { grants: 1000, since: at(-1000) };
