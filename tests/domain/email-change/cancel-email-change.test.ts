import { describe, expect, it } from 'vitest';
import { aFixture, errorOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';

describe('cancelling an email change', () => {
	it('voids its code and its link, and no change is pending afterwards', async () => {
		const fixture = aFixture();
		const signedIn = await fixture.signIn(ada);
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

	it('keeps sessions, sign-in codes and the changes of other accounts', async () => {
		const fixture = aFixture();
		const adas = await fixture.signIn(ada);
		const bobs = await fixture.signIn('bob@example.com');
		await fixture.codeToMove(adas, fresh);
		const bobsCode = await fixture.codeToMove(bobs, fresh);
		const code = await fixture.sendTo(ada);
		await fixture.cancelEmailChange(adas.user.id);
		expect(await fixture.whoIs(adas.token)).toEqual(adas.user);
		expect((await fixture.guess(ada, code)).ok).toBe(true);
		expect(errorOf(await fixture.moveByCode(bobs, fresh, bobsCode))).toBeNull();
	});

	it('is no error without a pending change, and a new one can be requested afterwards', async () => {
		const fixture = aFixture();
		const signedIn = await fixture.signIn(ada);
		await fixture.cancelEmailChange(signedIn.user.id);
		await fixture.cancelEmailChange(signedIn.user.id);
		expect((await fixture.move(signedIn, fresh)).user.email).toBe(fresh);
	});
});
