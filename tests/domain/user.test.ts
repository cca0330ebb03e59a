import { describe, expect, it } from 'vitest';
import { newAccount } from '#lib/domain/account/use-cases.ts';
import type { ConsentRecordId, Ids, UserId } from '#lib/domain/ids.ts';
import { isName, MAX_NAME, nameProblem } from '#lib/domain/user.ts';
import { aName, anEmail, anId, anOccasion, aProfile, start } from '../support/domain/builders.ts';

/** The ids of the builders, in their order. */
const idsFromOne = (): Ids => {
	let last = 0;
	return { next: () => anId((last += 1)) };
};

describe('a new account', () => {
	it('is verified, has consented to nothing and may have a trial', () => {
		const id = anId<UserId>();
		const profile = aProfile({ name: aName('Ada'), image: 'https://example.com/a.png' });
		expect(newAccount(idsFromOne(), anEmail(), profile, start)).toEqual({
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
			consent: null,
			mails: []
		});
	});

	it.each([
		['agreed to marketing', anOccasion(), true, start],
		['declined marketing', null, false, null],
		['was not asked', undefined, false, null]
	] as const)(
		'whose owner %s has this consent and record',
		(_answer, marketing, marketingOptIn, marketingOptInAt) => {
			const profile = aProfile(marketing === undefined ? {} : { marketing });
			const { userData, consent } = newAccount(idsFromOne(), anEmail(), profile, start);
			expect(userData).toMatchObject({ marketingOptIn, marketingOptInAt });
			expect(consent).toEqual(
				marketingOptIn
					? {
							id: anId<ConsentRecordId>(2),
							userId: anId<UserId>(),
							at: start,
							occasion: anOccasion()
						}
					: null
			);
		}
	);
});

describe('a name', () => {
	it.each([
		'',
		'Ada Lovelace',
		'Zoë ✨ 山田',
		'עדה لوفلايس',
		// The marks that keep punctuation and digits on their side of a Hebrew or Arabic word.
		'עדה\u200f (C\u200e++\u200e)',
		'عدد \u061c12',
		// A family of three, held together by joiners that show nothing.
		'👨\u200d👩\u200d👧',
		'<img src=x onerror=alert(1)>',
		'x'.repeat(MAX_NAME)
	])('can be %j', (text) => {
		expect(nameProblem(text)).toBeNull();
		expect(isName(text)).toBe(true);
	});

	it('has at most 200 characters', () => {
		expect(MAX_NAME).toBe(200);
		expect(nameProblem('x'.repeat(201))).toBe('too_long');
	});

	it.each([
		'a\0b',
		'a\nb',
		'a\tb',
		'\u001b[31m',
		'a\u0085b',
		'a\u2028b',
		'a\u2029b',
		'a\ud800b',
		'a\u202ab',
		'a\u202eb',
		'a\u2066b',
		'a\u2069b'
	])(
		'L01: contains no character that breaks its line or overrides its direction, such as in %j',
		(text) => {
			expect(nameProblem(text)).toBe('unshowable');
			expect(isName(text)).toBe(false);
		}
	);
});
