import { describe, expect, it } from 'vitest';
import { newAccount, type UserId } from '#lib/domain/index.ts';
import { aName, anEmail, anId, aProfile, start } from '../../support/domain/builders.ts';

describe('a new account', () => {
	it('is verified, has consented to nothing and may have a trial', () => {
		const id = anId<UserId>();
		const profile = aProfile({ name: aName('Ada'), image: 'https://example.com/a.png' });
		expect(newAccount(id, anEmail(), profile, start)).toEqual({
			user: {
				id,
				email: anEmail(),
				emailVerified: true,
				name: 'Ada',
				image: 'https://example.com/a.png',
				createdAt: start,
				updatedAt: start
			},
			userData: { userId: id, marketingOptIn: false, marketingOptInAt: null, isTrialEligible: true }
		});
	});

	it.each([
		[true, true, start],
		[false, false, null],
		[undefined, false, null]
	] as const)(
		'whose owner answered %s to marketing has opted in: %s',
		(answer, marketingOptIn, marketingOptInAt) => {
			const profile = aProfile(answer === undefined ? {} : { marketingOptIn: answer });
			const { userData } = newAccount(anId<UserId>(), anEmail(), profile, start);
			expect(userData).toMatchObject({ marketingOptIn, marketingOptInAt });
		}
	);
});
