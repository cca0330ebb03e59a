import { describe, expect, it } from 'vitest';
import { anOccasion } from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, errorOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const DAY = 86_400;
const given = { ok: true, value: true };

describe('agreeing to marketing', () => {
	it('is refused for a deleted account', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		await fixture.remove(signedIn);
		const granted = await fixture.grantConsent(signedIn.user.id, anOccasion());
		expect(granted).toEqual({ ok: true, value: false });
	});

	it('is limited, because records are never removed: ten a day, and a withdrawal always works', async () => {
		const fixture = aFixture();
		const { id } = (await fixture.signIn(ada)).user;
		for (let time = 0; time < 10; time += 1) {
			expect(await fixture.grantConsent(id, anOccasion())).toEqual(given);
			expect(await fixture.withdrawConsent(id, anOccasion())).toBe(true);
			fixture.clock.advance(60);
		}
		const refused = errorOf(await fixture.grantConsent(id, anOccasion()));
		expect(refused).toEqual({ code: 'too_many_consents', retryAfter: DAY - 600 });
		expect(await fixture.consents.historyOf(id, 99)).toHaveLength(20);
		// B14: a caller that waits as told is not refused again.
		fixture.clock.advance(DAY - 601);
		expect(errorOf(await fixture.grantConsent(id, anOccasion()))).toMatchObject({ retryAfter: 1 });
		fixture.clock.advance(1);
		expect(await fixture.grantConsent(id, anOccasion())).toEqual(given);
	});
});
