import { describe, expect, it } from 'vitest';
import { anEmail, aDevice, secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld, errorOf, valueOf, wrong } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const fresh = 'new@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

describe('moving to another address by code', () => {
	it('gives the account the new address and keeps everything else', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		world.clock.advance(60);
		const { user } = valueOf(await world.moveByCode(signedIn, fresh, code));
		expect(user).toEqual({ ...signedIn.user, email: fresh, updatedAt: secondsFromStart(60) });
		expect(await world.whoIs(signedIn.token)).toEqual(user);
		expect(await world.accounts.find(anEmail(ada))).toBeNull();
		expect((await world.signIn(fresh)).user.id).toBe(user.id);
	});

	it('E14/K11: ends all other sessions and says which; the one that confirms stays', async () => {
		const world = aWorld();
		const here = await world.signIn(ada);
		const elsewhere = [await world.signIn(ada), await world.signIn(ada)];
		const stranger = await world.signIn(bob);
		const code = await world.codeToMove(here, fresh);
		const { ended } = valueOf(await world.moveByCode(here, fresh, code));
		expect([...ended].sort()).toEqual(elsewhere.map(({ session }) => session.id).sort());
		for (const { token } of elsewhere) expect(await world.whoIs(token)).toBeNull();
		expect(await world.whoIs(here.token)).not.toBeNull();
		expect(await world.whoIs(stranger.token)).not.toBeNull();
	});

	it('K11: the old address is told once, with where it was confirmed, and not before', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const { user, session } = signedIn;
		const code = await world.codeToMove(signedIn, fresh);
		await world.moveByCode({ user, session }, fresh, wrong(code));
		expect(world.notices).toEqual([]);
		world.clock.advance(60);
		const device = aDevice({ ipAddress: '192.0.2.9' });
		await world.changeEmail({ user, session: session.id, device, newEmail: fresh, code });
		await world.background.flush();
		await world.moveByCode({ user, session }, fresh, code);
		expect(world.notices).toEqual([
			{ stage: 'completed', from: ada, to: fresh, at: secondsFromStart(60), device }
		]);
	});

	it('K05/K12: works once, also of fifty at once, and tells once', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		const results = await Promise.all(
			Array.from({ length: 50 }, () => world.moveByCode(signedIn, fresh, code))
		);
		expect(results.filter((result) => result.ok)).toHaveLength(1);
		expect(world.notices).toHaveLength(1);
		const user = (await world.whoIs(signedIn.token)) ?? signedIn.user;
		expect(errorOf(await world.moveByCode({ ...signedIn, user }, fresh, code))).toEqual(notACode);
	});

	it('K12: of two hundred wrong guesses at once five are compared, and the code is spent', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		const results = await Promise.all(
			Array.from({ length: 200 }, () => world.moveByCode(signedIn, fresh, wrong(code)))
		);
		const compared = results.filter((result) => {
			const error = errorOf(result);
			return error?.code === 'invalid_code' && error.attemptsLeft !== null;
		});
		expect(compared).toHaveLength(5);
		expect((await world.moveByCode(signedIn, fresh, code)).ok).toBe(false);
	});

	it('K12: lives ten minutes and bears five guesses', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const late = await world.codeToMove(signedIn, fresh);
		world.clock.advance(601);
		expect(errorOf(await world.moveByCode(signedIn, fresh, late))).toEqual({
			code: 'expired_code'
		});
		const tried = await world.codeToMove(signedIn, fresh);
		for (let time = 0; time < 5; time += 1) {
			await world.moveByCode(signedIn, fresh, wrong(tried));
		}
		expect(errorOf(await world.moveByCode(signedIn, fresh, tried))).toEqual({
			code: 'too_many_attempts'
		});
	});

	it('K12: is nothing in the session of another account, and loses nothing there', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn(bob);
		const code = await world.codeToMove(adas, fresh);
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await world.moveByCode(bobs, fresh, code))).toEqual(notACode);
		}
		expect(await world.whoIs(bobs.token)).toEqual(bobs.user);
		expect(errorOf(await world.moveByCode(adas, fresh, code))).toBeNull();
	});

	it('K12: is nothing but a wrong guess where the other account waits for the same address', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn(bob);
		const code = await world.codeToMove(adas, fresh);
		await world.codeToMove(bobs, fresh);
		expect(errorOf(await world.moveByCode(bobs, fresh, code))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect(errorOf(await world.moveByCode(adas, fresh, code))).toBeNull();
	});

	it('K12/K06: is nothing for another address than it was mailed to', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await world.moveByCode(signedIn, 'other@example.com', code))).toEqual(
				notACode
			);
		}
		expect(errorOf(await world.moveByCode(signedIn, fresh, code))).toBeNull();
	});

	it.each(['', 'new', 'new@example.com, eve@example.com'])(
		'A14: refuses %j for an address and counts nothing',
		async (typed) => {
			const world = aWorld();
			const signedIn = await world.signIn(ada);
			const code = await world.codeToMove(signedIn, fresh);
			for (let time = 0; time < 10; time += 1) {
				expect(errorOf(await world.moveByCode(signedIn, typed, code))).toEqual({
					code: 'invalid_email'
				});
			}
			expect(errorOf(await world.moveByCode(signedIn, fresh, code))).toBeNull();
		}
	);

	it('K06: of two asked for one after the other only the later works', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const first = await world.codeToMove(signedIn, fresh);
		const second = await world.codeToMove(signedIn, 'other@example.com');
		expect(errorOf(await world.moveByCode(signedIn, fresh, first))).toEqual(notACode);
		expect(errorOf(await world.moveByCode(signedIn, 'other@example.com', second))).toBeNull();
	});

	it('K07: an address that somebody signed up with meanwhile is taken, and nothing changes', async () => {
		const world = aWorld();
		const here = await world.signIn(ada);
		const elsewhere = await world.signIn(ada);
		const code = await world.codeToMove(here, fresh);
		const { user: owner } = await world.signIn(fresh);
		expect(errorOf(await world.moveByCode(here, fresh, code))).toEqual({ code: 'email_taken' });
		for (const { token } of [here, elsewhere]) expect(await world.whoIs(token)).toEqual(here.user);
		expect((await world.accounts.find(anEmail(fresh)))?.user).toEqual(owner);
		expect(world.notices).toEqual([]);
	});

	it('K07: sign-out everywhere, deletion and purge do not free what is taken before they are done', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const owner = await world.signIn(fresh);
		await world.remove(owner);
		await world.askToMove(signedIn, fresh);
		const code = world.luckyGuess();
		expect(errorOf(await world.moveByCode(signedIn, fresh, code))).toEqual({
			code: 'email_taken'
		});
	});

	it('K08: signing out everywhere voids it', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		await world.sessionsOf.endAll(signedIn.user.id, signedIn.session.id);
		expect(errorOf(await world.moveByCode(signedIn, fresh, code))).toEqual(notACode);
		expect(await world.readEmailChange(signedIn.user)).toBeNull();
	});

	it('K08: deleting the account voids it, restored or not', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		await world.remove(signedIn);
		expect(errorOf(await world.moveByCode(signedIn, fresh, code))).toEqual(notACode);
		const again = await world.guess(ada, await world.sendTo(ada), { ifDeleted: 'restore' });
		expect(errorOf(await world.moveByCode(valueOf(again), fresh, code))).toEqual(notACode);
		expect(await world.accounts.find(anEmail(fresh))).toBeNull();
	});

	it('K08: a change that was completed by link voids it', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		const link = await world.linkToMove(signedIn, 'other@example.com');
		const { user } = valueOf(await world.moveByLink(signedIn, link));
		expect(errorOf(await world.moveByCode({ ...signedIn, user }, fresh, code))).toEqual(notACode);
		expect(await world.whoIs(signedIn.token)).toEqual(user);
	});

	it('K09: one that was asked for under an earlier address is nothing, whoever remembers which', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const moved = await world.move(signedIn, 'other@example.com');
		const code = await world.codeToMove(moved, fresh);
		// A session that still believes the earlier address cannot meet it.
		expect((await world.moveByCode(signedIn, fresh, code)).ok).toBe(false);
		expect((await world.whoIs(signedIn.token))?.email).toBe('other@example.com');
		expect(errorOf(await world.moveByCode(moved, fresh, code))).toBeNull();
	});

	it('K09: one that is asked for by a session that believes an earlier address never waits', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const moved = await world.move(signedIn, 'other@example.com');
		await world.askToMove(signedIn, fresh);
		const code = world.luckyGuess();
		for (const somebody of [signedIn, moved]) {
			expect(errorOf(await world.moveByCode(somebody, fresh, code))).toEqual(notACode);
		}
	});

	it('K13: until it is confirmed the old address signs in, and the new one makes a new account', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const { user } = signedIn;
		await world.codeToMove(signedIn, fresh);
		expect((await world.signIn(ada)).user.id).toBe(user.id);
		expect((await world.signIn(fresh)).user.id).not.toBe(user.id);
	});

	it('K14: of two who wait for one address the first to confirm gets it', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn(bob);
		const adasCode = await world.codeToMove(adas, fresh);
		const bobsLink = await world.linkToMove(bobs, fresh);
		const { user } = valueOf(await world.moveByCode(adas, fresh, adasCode));
		expect(errorOf(await world.moveByLink(bobs, bobsLink))).toEqual({ code: 'email_taken' });
		expect(await world.whoIs(bobs.token)).toEqual(bobs.user);
		expect((await world.accounts.find(anEmail(fresh)))?.user).toEqual(user);
	});

	it('K15: codes for the old address that were asked for before it are void', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const browser = world.aBrowser();
		const code = await world.sendTo(ada);
		const bound = await world.sendTo(ada, browser);
		const proof = await world.sendTo(ada, null, 'email_verification');
		await world.move(signedIn, fresh);
		expect(errorOf(await world.guess(ada, code))).toEqual(notACode);
		expect(errorOf(await world.guess(ada, bound, { browser }))).toEqual(notACode);
		const proved = await world.verifyEmail({ email: ada, code: proof, browser: null });
		expect(errorOf(proved)).toEqual(notACode);
	});

	it('K15: a later owner of the old address gets an account of their own', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const moved = await world.move(signedIn, fresh);
		const later = await world.signIn(ada);
		expect(later.user.id).not.toBe(signedIn.user.id);
		expect(await world.whoIs(signedIn.token)).toEqual(moved.user);
		expect((await world.accounts.find(anEmail(fresh)))?.user).toEqual(moved.user);
	});

	it('there and back again works', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const there = await world.move(signedIn, fresh);
		world.clock.advance(901);
		const back = await world.move(there, ada);
		expect(back.user).toMatchObject({ id: signedIn.user.id, email: ada });
	});
});
