import { describe, expect, it } from 'vitest';
import { plainCodeHasher, plainSecretHasher } from '../support/memory/drivers.ts';
import { aRequestSource } from '../support/domain/builders.ts';
import {
	aSigner,
	aFixture,
	errorOf,
	restoreTokenIn,
	type Fixture
} from '../support/domain/fixture.ts';

/** The same stores after a restart with other keys, the current one first. */
const restarted = (before: Fixture, ...keys: readonly string[]): Fixture => {
	const codeHasher = plainCodeHasher(...keys);
	const secretHasher = plainSecretHasher(...keys);
	const changeLinkSigner = aSigner(...keys);
	const { ids, random } = before;
	return aFixture({
		...before.stores,
		ids,
		random,
		codeHasher,
		secretHasher,
		changeLinkSigner
	});
};
const startWith = (key: string): Fixture => restarted(aFixture(), key);

const read = (
	fixture: Fixture,
	{ token }: { token: Parameters<Fixture['endSessionByToken']>[0] }
) => fixture.readSession({ token, mayRefresh: true });

describe('rotating the secret', () => {
	it('N02: a session opened before it lives while the old secret is listed, and ends with it', async () => {
		const before = startWith('old');
		const opened = await before.signIn('ada@example.com');
		expect(await read(restarted(before, 'new', 'old'), opened)).toMatchObject({
			user: opened.user
		});
		expect(await read(restarted(before, 'new'), opened)).toBeNull();
	});

	it('N02: a code requested before it works during it, bound to a browser or not', async () => {
		for (const bound of [true, false]) {
			const before = startWith('old');
			const codeKey = bound ? before.aCodeKey() : null;
			const code = await before.sendTo('ada@example.com', codeKey);
			const during = restarted(before, 'new', 'old');
			expect(await during.enterCode('ada@example.com', code, { codeKey })).toMatchObject({
				ok: true
			});
		}
	});

	it('N02: a link to a new address that was sent before it works during it, and not after', async () => {
		const before = startWith('old');
		const signedIn = await before.signIn('ada@example.com');
		const link = await before.linkToMove(signedIn, 'new@example.com');

		const after = restarted(before, 'new');
		expect(await after.readChangeLink(signedIn.user, link)).toBeNull();
		expect(errorOf(await after.moveByLink(signedIn, link))).toEqual({
			code: 'invalid_change_link'
		});

		const during = restarted(before, 'new', 'old');
		expect(await during.readChangeLink(signedIn.user, link)).not.toBeNull();
		expect(await during.moveByLink(signedIn, link)).toMatchObject({
			ok: true,
			value: { user: { email: 'new@example.com' } }
		});
	});

	it('N02: a restore grant issued before it works during it, and not after', async () => {
		const before = startWith('old');
		await before.remove(await before.signIn('ada@example.com'));
		const code = await before.sendTo('ada@example.com');
		const restoreToken = restoreTokenIn(
			await before.enterCode('ada@example.com', code, { ifDeleted: 'offer' })
		);

		const after = restarted(before, 'new');
		expect(await after.readRestoreGrant(restoreToken)).toBeNull();
		expect(errorOf(await after.restoreAccount({ restoreToken, source: aRequestSource() }))).toEqual(
			{
				code: 'invalid_restore_grant'
			}
		);

		const during = restarted(before, 'new', 'old');
		expect(await during.readRestoreGrant(restoreToken)).not.toBeNull();
		expect(
			errorOf(await during.restoreAccount({ restoreToken, source: aRequestSource() }))
		).toBeNull();
	});
});
