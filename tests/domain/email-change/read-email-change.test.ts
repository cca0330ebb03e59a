import { describe, expect, it } from 'vitest';
import { newLinkToken } from '#lib/domain/secret.ts';
import { secondsFromStart } from '../../support/domain/builders.ts';
import { aSignedIn, errorOf, valueOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';

describe('the pending email change', () => {
	it('is none before a request', async () => {
		const { fixture, user } = await aSignedIn(ada);
		await fixture.askToMove(await fixture.signIn('bob@example.com'), fresh);
		expect(await fixture.readEmailChange(user)).toBeNull();
	});

	it.each([
		['code', 600],
		['link', 3600]
	] as const)('by %s, is shown until it expires after %i seconds', async (way, lifetime) => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const { user } = signedIn;
		await fixture.askToMove(signedIn, fresh, way);
		const shown = { to: fresh, way, expiresAt: secondsFromStart(lifetime) };
		expect(await fixture.readEmailChange(user)).toEqual(shown);
		fixture.clock.advance(lifetime - 1);
		expect(await fixture.readEmailChange(user)).toEqual(shown);
		fixture.clock.advance(1);
		expect(await fixture.readEmailChange(user)).toBeNull();
	});
});

describe('opening a link to a new address', () => {
	it('K01: shows its target and spends nothing, however often', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const link = await fixture.linkToMove(signedIn, fresh);
		for (let time = 0; time < 20; time += 1) {
			expect(await fixture.readChangeLink(signedIn.user, link)).toEqual({
				to: fresh,
				canUndo: true
			});
		}
		expect(await fixture.whoIs(signedIn.token)).toEqual(signedIn.user);
		expect(fixture.notices.map(({ stage }) => stage)).toEqual(['requested']);
		expect(errorOf(await fixture.moveByLink(signedIn, link))).toBeNull();
	});

	it('K11: says that nobody can undo a change back within the time of an undo', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		await fixture.moveByLink(signedIn, await fixture.linkToMove(signedIn, fresh));
		fixture.clock.advance(3600);
		const moved = await fixture.signIn(fresh);
		const back = await fixture.linkToMove(moved, ada);
		expect(await fixture.readChangeLink(moved.user, back)).toEqual({ to: ada, canUndo: false });
	});

	it('says only to the account that the link led to its present address', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const bobs = await fixture.signIn('bob@example.com');
		const link = await fixture.linkToMove(signedIn, fresh);
		const moved = valueOf(await fixture.moveByLink(signedIn, link));
		expect(await fixture.readChangeLink(moved.user, link)).toBe('applied');
		expect(await fixture.readChangeLink(bobs.user, link)).toBeNull();
		// Nor to somebody else who gets that address later.
		expect(
			await fixture.readChangeLink({ ...bobs.user, email: moved.user.email }, link)
		).toBeNull();
		const another = newLinkToken(fixture.random, () => link.slice(43));
		expect(await fixture.readChangeLink(moved.user, another)).toBeNull();
		const again = await fixture.move({ ...signedIn, user: moved.user }, 'other@example.com');
		expect(await fixture.readChangeLink(again.user, link)).toBeNull();
	});
});

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
