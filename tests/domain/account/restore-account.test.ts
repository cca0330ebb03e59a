import { describe, expect, it } from 'vitest';
import { defaultPolicy, newRestoreToken, type RestoreToken } from '#lib/domain/index.ts';
import { aDevice, secondsFromStart } from '../../support/domain/builders.ts';
import {
	aWorld,
	errorOf,
	restoreTokenIn,
	valueOf,
	type World
} from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const invalid = { code: 'invalid_restore_grant' };
const { grace } = defaultPolicy.deletion;

const earn = async (world: World, email = ada): Promise<RestoreToken> =>
	restoreTokenIn(await world.guess(email, await world.sendTo(email), { ifDeleted: 'offer' }));

const restore = (world: World, restoreToken: RestoreToken): ReturnType<World['restoreAccount']> =>
	world.restoreAccount({ restoreToken, device: aDevice({ userAgent: 'Browser/2' }) });

/** Ada's account, deleted. */
const deleted = async (): Promise<World> => {
	const world = aWorld();
	await world.remove(await world.signIn(ada));
	return world;
};

describe('the restore grant', () => {
	it('is earned by the right code, which is spent, and opens nothing by itself', async () => {
		const world = await deleted();
		const code = await world.sendTo(ada);
		const offered = await world.guess(ada, code, { ifDeleted: 'offer' });
		expect(errorOf(offered)).toEqual({
			code: 'account_deleted',
			purgeAt: secondsFromStart(grace),
			restoreToken: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)
		});
		expect(await world.readRestoreGrant(restoreTokenIn(offered))).toEqual({
			purgeAt: secondsFromStart(grace)
		});
		expect((await world.accounts.find(ada as never))?.deletedAt).not.toBeNull();
		expect(errorOf(await world.guess(ada, code, { ifDeleted: 'offer' }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
	});

	it('is not asked for where the account lives', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		const again = await world.guess(ada, await world.sendTo(ada), { ifDeleted: 'offer' });
		expect(valueOf(again).user).toEqual(user);
	});

	it('is stored as a hash only', async () => {
		const world = await deleted();
		const restoreToken = await earn(world);
		const hash = world.secretHasher.ofRestoreToken(restoreToken);
		expect(hash).not.toContain(restoreToken);
		expect(JSON.stringify(await world.challenges.latestOf(hash, 'account_restore'))).not.toContain(
			restoreToken
		);
		expect(await world.readRestoreGrant(hash as string as RestoreToken)).toBeNull();
	});

	it('A10: is no code to sign in with', async () => {
		const world = await deleted();
		const restoreToken = await earn(world);
		expect(errorOf(await world.guess(ada, restoreToken))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
		expect(errorOf(await world.guess(ada, '000000'))).toEqual({
			code: 'invalid_code',
			attemptsLeft: null
		});
		expect(await world.readRestoreGrant(restoreToken)).not.toBeNull();
	});

	it('takes the place of an earlier one', async () => {
		const world = await deleted();
		const first = await earn(world);
		const second = await earn(world);
		expect(await world.readRestoreGrant(first)).toBeNull();
		expect(errorOf(await restore(world, first))).toEqual(invalid);
		expect(errorOf(await restore(world, second))).toBeNull();
	});

	it('of one account leaves that of another alone', async () => {
		const world = await deleted();
		await world.remove(await world.signIn('bob@example.com'));
		const adas = await earn(world);
		const bobs = await earn(world, 'bob@example.com');
		expect(valueOf(await restore(world, bobs)).user.email).toBe('bob@example.com');
		expect(valueOf(await restore(world, adas)).user.email).toBe(ada);
	});
});

describe('restoring an account', () => {
	it('signs in to it as it was, on this device', async () => {
		const world = aWorld();
		const before = await world.signIn(ada);
		await world.remove(before);
		const restored = valueOf(await restore(world, await earn(world)));
		expect(restored).toMatchObject({
			user: { id: before.user.id, email: ada },
			session: { userId: before.user.id, userAgent: 'Browser/2' },
			replaced: null
		});
		expect(await world.whoIs(restored.token)).toEqual(restored.user);
		expect(await world.whoIs(before.token)).toBeNull();
		expect((await world.accounts.find(before.user.email))?.deletedAt).toBeNull();
	});

	it('lives on afterwards: it signs in, moves and can be deleted again', async () => {
		const world = await deleted();
		const restored = valueOf(await restore(world, await earn(world)));
		const moved = await world.move(restored, 'new@example.com');
		expect((await world.signIn('new@example.com')).user.id).toBe(restored.user.id);
		expect(await world.remove(moved)).not.toBeNull();
	});

	it('works once, also of fifty at once', async () => {
		const world = await deleted();
		const restoreToken = await earn(world);
		const results = await Promise.all(
			Array.from({ length: 50 }, () => restore(world, restoreToken))
		);
		expect(results.filter((result) => result.ok)).toHaveLength(1);
		expect(await world.readRestoreGrant(restoreToken)).toBeNull();
		expect(errorOf(await restore(world, restoreToken))).toEqual(invalid);
	});

	it('A12: works at 599 seconds and not at 600 or 601', async () => {
		for (const [seconds, error] of [
			[599, null],
			[600, invalid],
			[601, invalid]
		] as const) {
			const world = await deleted();
			const restoreToken = await earn(world);
			world.clock.advance(seconds);
			expect((await world.readRestoreGrant(restoreToken)) !== null).toBe(error === null);
			expect(errorOf(await restore(world, restoreToken))).toEqual(error);
		}
	});

	it('reading what a restore grant allows does not use it', async () => {
		const world = await deleted();
		const restoreToken = await earn(world);
		for (let time = 0; time < 10; time += 1)
			expect(await world.readRestoreGrant(restoreToken)).not.toBeNull();
		expect(errorOf(await restore(world, restoreToken))).toBeNull();
	});

	it('A14: is refused for a restore grant that nobody gave', async () => {
		const world = await deleted();
		await earn(world);
		for (const restoreToken of [newRestoreToken(world.random), '' as RestoreToken]) {
			expect(await world.readRestoreGrant(restoreToken)).toBeNull();
			expect(errorOf(await restore(world, restoreToken))).toEqual(invalid);
		}
	});

	it('a restore grant is no way into an account that lives again', async () => {
		const world = await deleted();
		const restoreToken = await earn(world);
		const code = await world.sendTo(ada);
		const { user } = valueOf(await world.guess(ada, code, { ifDeleted: 'restore' }));
		expect(await world.readRestoreGrant(restoreToken)).toBeNull();
		expect(errorOf(await restore(world, restoreToken))).toEqual(invalid);
		expect(await world.sessionsOf.list(user.id)).toHaveLength(1);
	});

	it('a restore grant does not outlive a further deletion', async () => {
		const world = await deleted();
		const restoreToken = await earn(world);
		const code = await world.sendTo(ada);
		const restored = valueOf(await world.guess(ada, code, { ifDeleted: 'restore' }));
		await world.remove(restored);
		expect(errorOf(await restore(world, restoreToken))).toEqual(invalid);
	});

	it('a restore grant does not outlive signing out everywhere', async () => {
		const world = await deleted();
		const restoreToken = await earn(world);
		const code = await world.sendTo(ada);
		const { user } = valueOf(await world.guess(ada, code, { ifDeleted: 'restore' }));
		await world.sessionsOf.endAll(user.id, null);
		expect(errorOf(await restore(world, restoreToken))).toEqual(invalid);
	});

	it('a restore grant from the last minute does not open the account that has the address after the purge', async () => {
		const world = await deleted();
		world.clock.advance(grace - 60);
		const restoreToken = await earn(world);
		world.clock.advance(60);
		expect(await world.purgeAccounts()).toBe(1);
		expect(await world.readRestoreGrant(restoreToken)).toBeNull();
		const { user } = await world.signIn(ada);
		expect(errorOf(await restore(world, restoreToken))).toEqual(invalid);
		expect(await world.sessionsOf.list(user.id)).toHaveLength(1);
	});
});
