import { describe, expect, it } from 'vitest';
import { mayAskForName, newAccount, type ConsentRecordId, type UserId } from '#lib/domain/index.ts';
import {
	aName,
	anEmail,
	anId,
	anOccasion,
	aProfile,
	secondsFromStart,
	start
} from '../../support/domain/builders.ts';

describe('a new account', () => {
	it('is verified, has consented to nothing and may have a trial', () => {
		const id = anId<UserId>();
		const ids = { user: id, consent: anId<ConsentRecordId>(2) };
		const profile = aProfile({ name: aName('Ada'), image: 'https://example.com/a.png' });
		expect(newAccount(ids, anEmail(), profile, start)).toEqual({
			user: {
				id,
				email: anEmail(),
				emailVerified: true,
				name: 'Ada',
				image: 'https://example.com/a.png',
				createdAt: start,
				updatedAt: start
			},
			userData: {
				userId: id,
				marketingOptIn: false,
				marketingOptInAt: null,
				isTrialEligible: true
			},
			consent: null
		});
	});

	it.each([
		['agreed to marketing', anOccasion(), true, start],
		['declined marketing', null, false, null],
		['was not asked', undefined, false, null]
	] as const)(
		'whose owner %s has this consent and record',
		(_answer, marketing, marketingOptIn, marketingOptInAt) => {
			const ids = { user: anId<UserId>(), consent: anId<ConsentRecordId>(2) };
			const profile = aProfile(marketing === undefined ? {} : { marketing });
			const { userData, consent } = newAccount(ids, anEmail(), profile, start);
			expect(userData).toMatchObject({ marketingOptIn, marketingOptInAt });
			expect(consent).toEqual(
				marketingOptIn
					? { id: ids.consent, userId: ids.user, at: start, occasion: anOccasion() }
					: null
			);
		}
	);
});

describe('the question for a name', () => {
	const { user } = newAccount(
		{ user: anId<UserId>(), consent: anId<ConsentRecordId>(2) },
		anEmail(),
		aProfile(),
		start
	);
	const later = secondsFromStart(1);

	it.each([
		['a new account without a name', true, user],
		['a new account with a name', false, { ...user, name: 'Ada' }],
		['an account that stored an empty name', false, { ...user, updatedAt: later }],
		['an account whose clock was set back', false, { ...user, createdAt: later }]
	])('%s: %s', (_, expected, account) => {
		expect(mayAskForName(account)).toBe(expected);
	});
});
