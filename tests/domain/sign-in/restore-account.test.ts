import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { type RestoreToken } from '#lib/domain/secret.ts';
import { aRequestSource, secondsFromStart } from '../../support/domain/builders.ts';
import {
	aFixture,
	aSignedIn,
	errorOf,
	type Fixture,
	restoreTokenIn,
	valueOf
} from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const invalid = { code: 'invalid_restore_grant' };
const { grace } = defaultPolicy.deletion;

const earn = async (fixture: Fixture, email = ada): Promise<RestoreToken> =>
	restoreTokenIn(
		await fixture.enterCode(email, await fixture.sendTo(email), { ifDeleted: 'offer' })
	);

const restore = (
	fixture: Fixture,
	restoreToken: RestoreToken
): ReturnType<Fixture['restoreAccount']> =>
	fixture.restoreAccount({ restoreToken, source: aRequestSource({ userAgent: 'Browser/2' }) });

/** Ada's account, deleted. */
const deleted = async (): Promise<Fixture> => {
	const fixture = aFixture();
	await fixture.remove(await fixture.signIn(ada));
	return fixture;
};

describe('the restore grant', () => {
	it('is issued for the right code, which is used up, and opens no session by itself', async () => {
		const fixture = await deleted();
		const code = await fixture.sendTo(ada);
		const offered = await fixture.enterCode(ada, code, { ifDeleted: 'offer' });
		expect(errorOf(offered)).toEqual({
			code: 'account_deleted',
			purgeAt: secondsFromStart(grace),
			restoreToken: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)
		});
		expect(await fixture.readRestoreGrant(restoreTokenIn(offered))).toEqual({
			email: ada,
			purgeAt: secondsFromStart(grace)
		});
		expect((await fixture.accounts.find(ada as never))?.deletedAt).not.toBeNull();
		expect(errorOf(await fixture.enterCode(ada, code, { ifDeleted: 'offer' }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
	});

	it('is stored as a hash only', async () => {
		const fixture = await deleted();
		const restoreToken = await earn(fixture);
		const [hash] = fixture.secretHasher.ofRestoreToken(restoreToken);
		expect(hash).not.toContain(restoreToken);
		expect(
			JSON.stringify(await fixture.challenges.latestOf(hash, 'account_restore'))
		).not.toContain(restoreToken);
		expect(await fixture.readRestoreGrant(hash as string as RestoreToken)).toBeNull();
	});

	it('A10: is not a code to sign in with', async () => {
		const fixture = await deleted();
		const restoreToken = await earn(fixture);
		expect(errorOf(await fixture.enterCode(ada, restoreToken))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
		expect(errorOf(await fixture.enterCode(ada, '000000'))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
		expect(await fixture.readRestoreGrant(restoreToken)).not.toBeNull();
	});
});

describe('restoring an account', () => {
	it('signs in to it unchanged, on this device', async () => {
		const { fixture, signedIn: before } = await aSignedIn(ada);
		await fixture.remove(before);
		const restored = valueOf(await restore(fixture, await earn(fixture)));
		expect(restored).toMatchObject({
			user: { id: before.user.id, email: ada },
			session: { userId: before.user.id, userAgent: 'Browser/2' }
		});
		expect(await fixture.whoIs(restored.token)).toEqual(restored.user);
		expect(await fixture.whoIs(before.token)).toBeNull();
		expect((await fixture.accounts.find(before.user.email))?.deletedAt).toBeNull();
	});

	it('A12: works at 599 seconds and not at 600 or 601', async () => {
		for (const [seconds, error] of [
			[599, null],
			[600, invalid],
			[601, invalid]
		] as const) {
			const fixture = await deleted();
			const restoreToken = await earn(fixture);
			fixture.clock.advance(seconds);
			expect((await fixture.readRestoreGrant(restoreToken)) !== null).toBe(error === null);
			expect(errorOf(await restore(fixture, restoreToken))).toEqual(error);
		}
	});
});
