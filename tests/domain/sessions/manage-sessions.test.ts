import { describe, expect, it } from 'vitest';
import { defaultPolicy, type SessionId } from '#lib/domain/index.ts';
import { aDevice, anId } from '../../support/domain/builders.ts';
import { aWorld, errorOf, valueOf, type World } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const day = 24 * 3600;

const idsOf = async (world: World, id: Parameters<World['cancelEmailChange']>[0]) =>
	(await world.sessionsOf.list(id)).map((session) => session.id);

describe('the devices an account is signed in on', () => {
	it('are listed with where they were signed in, without tokens or hashes', async () => {
		const world = aWorld();
		const device = aDevice({ ipAddress: '192.0.2.7', userAgent: 'Phone/1' });
		const opened = valueOf(await world.guess(ada, await world.sendTo(ada), { device }));
		const listed = await world.sessionsOf.list(opened.user.id);
		expect(listed).toEqual([opened.session]);
		expect(listed).toMatchObject([device]);
		expect(JSON.stringify(listed)).not.toContain(world.secretHasher.ofToken(opened.token));
	});

	it('are listed with the last used first', async () => {
		const world = aWorld();
		const first = await world.signIn(ada);
		world.clock.advance(60);
		const second = await world.signIn(ada);
		expect(await idsOf(world, first.user.id)).toEqual([second.session.id, first.session.id]);
		world.clock.advance(day);
		await world.readSession({ token: first.token, mayRefresh: true });
		expect(await idsOf(world, first.user.id)).toEqual([first.session.id, second.session.id]);
	});

	it('E11: are listed until they expire', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		world.clock.advance(defaultPolicy.session.lifetime - 1);
		expect(await idsOf(world, user.id)).toHaveLength(1);
		world.clock.advance(1);
		expect(await idsOf(world, user.id)).toEqual([]);
	});

	it('are those of that account alone', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn(bob);
		expect(await idsOf(world, adas.user.id)).toEqual([adas.session.id]);
		expect(await idsOf(world, bobs.user.id)).toEqual([bobs.session.id]);
	});
});

describe('ending one session of an account', () => {
	it('E12: works at once, for that one only', async () => {
		const world = aWorld();
		const here = await world.signIn(ada);
		const there = await world.signIn(ada);
		expect(await world.sessionsOf.end(here.user.id, there.session.id)).toBe(true);
		expect(await world.whoIs(there.token)).toBeNull();
		expect(await world.whoIs(here.token)).toEqual(here.user);
		expect(await idsOf(world, here.user.id)).toEqual([here.session.id]);
	});

	it('E15: does nothing for the session of somebody else', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn(bob);
		expect(await world.sessionsOf.end(adas.user.id, bobs.session.id)).toBe(false);
		expect(await world.whoIs(bobs.token)).toEqual(bobs.user);
	});

	it('E15: does nothing for one that is gone, never was, or is no id', async () => {
		const world = aWorld();
		const { user, session, token } = await world.signIn(ada);
		const other = await world.signIn(ada);
		await world.sessionsOf.end(user.id, other.session.id);
		for (const id of [other.session.id, anId<SessionId>(99), '' as SessionId]) {
			expect(await world.sessionsOf.end(user.id, id)).toBe(false);
		}
		expect(await idsOf(world, user.id)).toEqual([session.id]);
		expect(await world.whoIs(token)).not.toBeNull();
	});
});

describe('signing out everywhere', () => {
	it('E20: ends all sessions but the one that is kept, and says which', async () => {
		const world = aWorld();
		const here = await world.signIn(ada);
		const elsewhere = [await world.signIn(ada), await world.signIn(ada)];
		const bobs = await world.signIn(bob);
		const ended = await world.sessionsOf.endAll(here.user.id, here.session.id);
		expect([...ended].sort()).toEqual(elsewhere.map(({ session }) => session.id).sort());
		for (const { token } of elsewhere) expect(await world.whoIs(token)).toBeNull();
		expect(await world.whoIs(here.token)).toEqual(here.user);
		expect(await world.whoIs(bobs.token)).toEqual(bobs.user);
	});

	it('E20: ends all of them where none is kept, and then finds none', async () => {
		const world = aWorld();
		const { user, session, token } = await world.signIn(ada);
		expect(await world.sessionsOf.endAll(user.id, null)).toEqual([session.id]);
		expect(await world.whoIs(token)).toBeNull();
		expect(await world.sessionsOf.endAll(user.id, null)).toEqual([]);
	});

	it('E15: to keep the session of somebody else keeps none', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn(bob);
		await world.sessionsOf.endAll(adas.user.id, bobs.session.id);
		expect(await world.whoIs(adas.token)).toBeNull();
		expect(await world.whoIs(bobs.token)).toEqual(bobs.user);
	});

	it('E20/K08: leaves no code by which a stranger could come back in', async () => {
		const world = aWorld();
		const { user, session } = await world.signIn(ada);
		const browser = world.aBrowser();
		const code = await world.sendTo(ada);
		const bound = await world.sendTo(ada, browser);
		const proof = await world.sendTo(ada, null, 'email_verification');
		const bobs = await world.sendTo(bob);
		await world.sessionsOf.endAll(user.id, session.id);
		const gone = { code: 'invalid_code', attemptsLeft: null };
		expect(errorOf(await world.guess(ada, code))).toEqual(gone);
		expect(errorOf(await world.guess(ada, bound, { browser }))).toEqual(gone);
		const proved = await world.verifyEmail({ email: ada, code: proof, browser: null });
		expect(errorOf(proved)).toEqual(gone);
		expect((await world.guess(bob, bobs)).ok).toBe(true);
		expect((await world.signIn(ada)).user.id).toBe(user.id);
	});
});
