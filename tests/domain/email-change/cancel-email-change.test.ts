import { describe, expect, it } from 'vitest';
import { aSignedIn, errorOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';

describe('cancelling an email change', () => {
	it('voids its code and its link, and no change is pending afterwards', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const code = await fixture.codeToMove(signedIn, fresh);
		const link = await fixture.linkToMove(signedIn, 'other@example.com');
		await fixture.cancelEmailChange(signedIn.user.id);
		expect(await fixture.readEmailChange(signedIn.user)).toBeNull();
		expect(await fixture.readChangeLink(signedIn.user, link)).toBeNull();
		expect(errorOf(await fixture.moveByCode(signedIn, fresh, code))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
		expect(errorOf(await fixture.moveByLink(signedIn, link))).toEqual({ code: 'invalid_link' });
	});
});
