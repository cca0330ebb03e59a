import { describe, expect, it } from 'vitest';
import { changeLinkText, type LinkedChange } from '#lib/domain/email-change/change-link.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { ChangeLinkToken } from '#lib/domain/signed-links.ts';
import {
	anEmail,
	anId,
	anOpenChallenge,
	secondsFromStart,
	start
} from '../../support/domain/builders.ts';
import { aSignedIn, errorOf } from '../../support/domain/fixture.ts';

const token = 'A'.repeat(43) as ChangeLinkToken;
const aChange = (changes: Partial<LinkedChange> = {}): LinkedChange => ({
	token,
	userId: anId<UserId>(1),
	from: anEmail('ada@example.com'),
	to: anEmail('new@example.com'),
	...changes
});

const others: readonly (readonly [string, Partial<LinkedChange>])[] = [
	['another token', { token: 'E'.repeat(43) as ChangeLinkToken }],
	['another account', { userId: anId<UserId>(2) }],
	['another address to leave', { from: anEmail('bob@example.com') }],
	['another address to move to', { to: anEmail('other@example.com') }]
];

describe('what a link to a new address is signed for', () => {
	it('cannot be shifted from one part to the next', () => {
		const one = aChange({ from: anEmail('a"@x.org'), to: anEmail('b@x.org') });
		const other = aChange({ from: anEmail('a'), to: anEmail('"@x.org","b@x.org') });
		expect(changeLinkText(one)).not.toBe(changeLinkText(other));
	});

	// The stores void such links as well; this holds even if a row survived or was tampered with.
	it.each(others)(
		'K03/K04/K06: if the stored one has %s, it moves no account',
		async (_, other) => {
			const { fixture, signedIn } = await aSignedIn('ada@example.com');
			const { user } = signedIn;
			const put = (change: LinkedChange): Promise<void> => {
				const challenge = anOpenChallenge({
					purpose: 'email_change_link',
					email: anEmail('new@example.com'),
					boundTo: user.id,
					secretHash: fixture.changeLinkSigner.sign(changeLinkText(change)),
					expiresAt: secondsFromStart(3600)
				});
				const requested = { ...challenge, requestedBy: signedIn.session.id };
				return fixture.emailChanges.request(
					requested,
					{ userId: user.id, from: user.email },
					start
				);
			};
			await put(aChange({ userId: user.id, ...other }));
			expect(await fixture.readChangeLink(user, token)).toBeNull();
			expect(errorOf(await fixture.moveByLink(signedIn, token))).toEqual({
				code: 'invalid_change_link'
			});
			await put(aChange({ userId: user.id }));
			expect(errorOf(await fixture.moveByLink(signedIn, token))).toBeNull();
		}
	);
});
