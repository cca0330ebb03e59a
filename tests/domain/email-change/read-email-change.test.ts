import { describe, expect, it } from 'vitest';
import { newSecret } from '#lib/domain/secret.ts';
import type { ChangeLinkToken } from '#lib/domain/signed-links.ts';
import { secondsFromStart } from '../../support/domain/builders.ts';
import { aSignedIn, valueOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';

describe('the pending email change', () => {
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
		const another = (newSecret(fixture.random) + link.slice(43)) as ChangeLinkToken;
		expect(await fixture.readChangeLink(moved.user, another)).toBeNull();
		const again = await fixture.move({ ...signedIn, user: moved.user }, 'other@example.com');
		expect(await fixture.readChangeLink(again.user, link)).toBeNull();
	});
});
