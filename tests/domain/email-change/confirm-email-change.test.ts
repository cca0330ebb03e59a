import { describe, expect, it } from 'vitest';
import { newSecret } from '#lib/domain/secret.ts';
import type { ChangeLinkToken } from '#lib/domain/signed-links.ts';
import { aRequestSource, secondsFromStart } from '../../support/domain/builders.ts';
import { aSignedIn, errorOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const fresh = 'new@example.com';
const invalid = { code: 'invalid_change_link' };

describe('moving to another address by link', () => {
	it('K11: the old address is notified of the request, and once of the change with where it was confirmed', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const { user, session } = signedIn;
		const token = await fixture.linkToMove(signedIn, fresh);
		expect(fixture.notices.map(({ stage }) => stage)).toEqual(['requested']);
		fixture.clock.advance(60);
		const source = aRequestSource({ ipAddress: '192.0.2.9' });
		await fixture.changeEmailByLink({ user, session: session.id, source, token });
		await fixture.background.flush();
		await fixture.moveByLink({ user, session }, token);
		expect(fixture.notices.slice(1)).toEqual([
			{ stage: 'completed', from: ada, to: fresh, at: secondsFromStart(60), source }
		]);
	});

	it('A12: works at 3599 seconds and not at 3600 or 3601', async () => {
		for (const [seconds, error] of [
			[3599, null],
			[3600, invalid],
			[3601, invalid]
		] as const) {
			const { fixture, signedIn } = await aSignedIn(ada);
			const link = await fixture.linkToMove(signedIn, fresh);
			fixture.clock.advance(seconds);
			expect(errorOf(await fixture.moveByLink(signedIn, link))).toEqual(error);
		}
	});

	it('is refused if it was never sent, or differs in one character', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const unsent = newSecret(fixture.random) as ChangeLinkToken;
		expect(errorOf(await fixture.moveByLink(signedIn, unsent))).toEqual(invalid);
		const link = await fixture.linkToMove(signedIn, fresh);
		expect(errorOf(await fixture.moveByLink(signedIn, unsent))).toEqual(invalid);
		const off = `${link.slice(0, 9)}${link[9] === 'x' ? 'y' : 'x'}${link.slice(10)}`;
		for (const other of [off, '', link.slice(1), `${link}A`]) {
			expect(errorOf(await fixture.moveByLink(signedIn, other as ChangeLinkToken))).toEqual(
				invalid
			);
		}
		// Wrong tokens cost nothing: 256 bits cannot be guessed.
		expect(errorOf(await fixture.moveByLink(signedIn, link))).toBeNull();
	});

	it('the stored signature of a link moves no account', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		await fixture.linkToMove(signedIn, fresh);
		const stored = await fixture.challenges.latestOf(signedIn.user.id, 'email_change_link');
		const token = stored?.secretHash as string as ChangeLinkToken;
		expect(errorOf(await fixture.moveByLink(signedIn, token))).toEqual(invalid);
	});

	it('K03: is refused for another account, even one that has requested the same address', async () => {
		const { fixture, signedIn: adas } = await aSignedIn(ada);
		const bobs = await fixture.signIn(bob);
		const adasLink = await fixture.linkToMove(adas, fresh);
		const bobsLink = await fixture.linkToMove(bobs, fresh);
		expect(errorOf(await fixture.moveByLink(bobs, adasLink))).toEqual(invalid);
		expect(errorOf(await fixture.moveByLink(adas, bobsLink))).toEqual(invalid);
		expect(errorOf(await fixture.moveByLink(bobs, bobsLink))).toBeNull();
	});
});
