import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/index.ts';
import { aDevice, secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld, errorOf, wrong } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const { grace } = defaultPolicy.deletion;
const purgeAt = secondsFromStart(grace);
const gone = { code: 'invalid_code', attemptsLeft: null };

describe('deleting an account', () => {
	it('ends all its sessions, those of nobody else, and says until when it can be restored', async () => {
		const world = aWorld();
		const here = await world.signIn(ada);
		const there = await world.signIn(ada);
		const bobs = await world.signIn('bob@example.com');
		const deleted = await world.remove(here);
		expect(deleted?.purgeAt).toEqual(purgeAt);
		expect([...(deleted?.ended ?? [])].sort()).toEqual([here.session.id, there.session.id].sort());
		for (const { token } of [here, there]) expect(await world.whoIs(token)).toBeNull();
		expect(await world.sessionsOf.list(here.user.id)).toEqual([]);
		expect(await world.whoIs(bobs.token)).toEqual(bobs.user);
	});

	it('is told to its address, with when, where and until when', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		await world.background.flush();
		const before = world.mailer.mails.length;
		const device = aDevice({ ipAddress: '192.0.2.7' });
		world.clock.advance(5);
		await world.deleteAccount({ user, device });
		await world.background.flush();
		expect(world.mailer.mails.slice(before)).toEqual([
			{
				kind: 'account_deleted',
				to: ada,
				at: secondsFromStart(5),
				purgeAt: secondsFromStart(5 + grace),
				device
			}
		]);
	});

	it.each(['refused', 'unknown'] as const)(
		'a mail that is %s does not undo it and is logged',
		async (delivery) => {
			const world = aWorld();
			const signedIn = await world.signIn(ada);
			await world.background.flush();
			world.mailer.meet(delivery);
			expect(await world.remove(signedIn)).not.toBeNull();
			await world.background.flush();
			expect(world.background.failures).toEqual([
				{ name: 'account deleted mail', error: new Error(`delivery ${delivery}`) }
			]);
			expect(await world.whoIs(signedIn.token)).toBeNull();
		}
	);

	it('happens once: again, or of ten at once, it does and tells nothing more', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const all = await Promise.all(Array.from({ length: 10 }, () => world.remove(signedIn)));
		expect(all.filter((deleted) => deleted !== null)).toHaveLength(1);
		world.clock.advance(60);
		expect(await world.remove(signedIn)).toBeNull();
		await world.background.flush();
		const told = world.mailer.mails.filter((mail) => mail.kind === 'account_deleted');
		expect(told).toHaveLength(1);
		// Nor does it move the day it goes for good.
		expect(errorOf(await world.guess(ada, await world.sendTo(ada)))).toMatchObject({ purgeAt });
	});

	it('voids the codes that were sent to its address before', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const browser = world.aBrowser();
		const code = await world.sendTo(ada);
		const bound = await world.sendTo(ada, browser);
		await world.remove(signedIn);
		expect(errorOf(await world.guess(ada, code))).toEqual(gone);
		expect(errorOf(await world.guess(ada, bound, { browser }))).toEqual(gone);
	});
});

describe('the code of a deleted account', () => {
	it('is sent as for any other', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		expect(await world.sendTo(ada)).toMatch(/^\d{6}$/);
	});

	it('when right says so and until when, opens nothing, and is not spent, ten times over', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		await world.remove({ user });
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await world.guess(ada, code, { browser }))).toEqual({
				code: 'account_deleted',
				purgeAt,
				restoreToken: null
			});
			expect(await world.readPendingCode(browser)).toMatchObject({
				state: 'open',
				attemptsLeft: 5
			});
		}
		expect(await world.sessionsOf.list(user.id)).toEqual([]);
		const restored = await world.guess(ada, code, { browser, ifDeleted: 'restore' });
		expect(restored).toMatchObject({ ok: true, value: { user: { id: user.id } } });
	});

	it('when right does not end the session the browser had in another account', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		const { user, token } = await world.signIn('bob@example.com');
		const code = await world.sendTo(ada);
		for (const ifDeleted of ['refuse', 'offer'] as const) {
			expect((await world.guess(ada, code, { ifDeleted, currentToken: token })).ok).toBe(false);
			expect(await world.whoIs(token)).toEqual(user);
		}
	});

	it('when right does not give back what wrong ones cost', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		await world.guess(ada, wrong(code), { browser });
		await world.guess(ada, code, { browser });
		expect((await world.readPendingCode(browser))?.attemptsLeft).toBe(4);
	});

	it.each(['refuse', 'restore', 'offer'] as const)(
		'when wrong is an ordinary wrong one, where a right one would %s',
		async (ifDeleted) => {
			const world = aWorld();
			await world.remove(await world.signIn(ada));
			const code = await world.sendTo(ada);
			const errors = [];
			for (let time = 0; time < 7; time += 1) {
				errors.push(errorOf(await world.guess(ada, wrong(code), { ifDeleted })));
			}
			expect(errors).toEqual([
				...[4, 3, 2, 1, 0].map((attemptsLeft) => ({ code: 'invalid_code', attemptsLeft })),
				{ code: 'too_many_attempts' },
				gone
			]);
		}
	);

	it('restores it at once and signs in where that was asked for, once', async () => {
		const world = aWorld();
		const before = await world.signIn(ada);
		await world.updateProfile(before.user.id, { name: 'Ada' });
		await world.remove(before);
		const code = await world.sendTo(ada);
		const restored = await world.guess(ada, code, { ifDeleted: 'restore' });
		expect(restored).toMatchObject({
			ok: true,
			value: { user: { id: before.user.id, name: 'Ada', createdAt: secondsFromStart(0) } }
		});
		if (restored.ok) expect(await world.whoIs(restored.value.token)).not.toBeNull();
		// What ended with the deletion does not come back.
		expect(await world.whoIs(before.token)).toBeNull();
		expect(errorOf(await world.guess(ada, code, { ifDeleted: 'restore' }))).toEqual(gone);
	});

	it('restores without a second welcome', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		await world.guess(ada, await world.sendTo(ada), { ifDeleted: 'restore' });
		await world.background.flush();
		expect(world.mailer.mails.filter((mail) => mail.kind === 'welcome')).toHaveLength(1);
	});
});
