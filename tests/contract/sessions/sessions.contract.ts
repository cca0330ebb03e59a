import { expect, it } from 'vitest';
import { EMAIL_CHANGE_PURPOSES, type Redeemed } from '#lib/domain/sign-in/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { signIn as signInTo } from '../account/account-examples.ts';
import {
	ada,
	aChallenge,
	anAttempt,
	aHash,
	anEmail,
	at,
	newUserId,
	policy,
	rounds
} from '../stores/examples.ts';
import {
	raceEndAllBesideFinds,
	raceEndAllBesideSignIn,
	requestMove
} from '../email-change/email-change-races.ts';
import { atOnce, raceRefreshes } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';

const day = policy.session.refreshAfter;
const lifetime = policy.session.lifetime;

export const sessionsContract = storeContract('sessions', (backing) => {
	const port = () => backing.stores.sessions;
	/** A session of Ada's that begins at the given second. */
	const signIn = (tokenHash = aHash(), now = at(0), email = ada): Promise<Redeemed> =>
		signInTo(backing.stores, email, { tokenHash, now });
	const refresh = async (id: Redeemed['session']['id'], now: Date) => {
		const times = { dueSince: secondsAfter(now, -day), expiresAt: secondsAfter(now, lifetime) };
		return port().refresh(id, { now, ...times });
	};

	it('a session is found by the hash of its token, with its user', async () => {
		const token = aHash();
		const { user, session } = await signIn(token);
		await signIn(aHash(), at(0), anEmail());
		expect(await port().find(token, at(1))).toEqual({ user, session });
	});

	it('E04: a hash that was never issued finds nothing', async () => {
		const token = aHash();
		const { session } = await signIn(token);
		for (const other of [aHash(), '', session.id, `${token} `, token.toUpperCase()]) {
			expect(await port().find(other as typeof token, at(1))).toBeNull();
		}
	});

	it('E11: an expired session is not found, from the instant of its expiry on', async () => {
		const token = aHash();
		await signIn(token);
		expect(await port().find(token, at(lifetime - 1))).not.toBeNull();
		expect(await port().find(token, at(lifetime))).toBeNull();
		expect(await port().find(token, at(lifetime + 1))).toBeNull();
	});

	it('a session of a deleted account, if one exists, is not found', async () => {
		const token = aHash();
		await signIn(token);
		await backing.markDeleted(at(1));
		expect(await backing.rows('sessions')).toBe(1);
		expect(await port().find(token, at(2))).toBeNull();
	});

	it('a refresh moves the expiry and the last refresh, and returns the updated session', async () => {
		const token = aHash();
		const { session } = await signIn(token);
		const refreshed = await refresh(session.id, at(day));
		expect(refreshed).toEqual({
			...session,
			updatedAt: at(day),
			expiresAt: at(day + lifetime)
		});
		expect((await port().find(token, at(day)))?.session).toEqual(refreshed);
	});

	it('E10: a session is not due before a day, and is due at it', async () => {
		const { session } = await signIn();
		expect(await refresh(session.id, at(day - 1))).toBeNull();
		expect(await refresh(session.id, at(day))).not.toBeNull();
		expect(await refresh(session.id, at(2 * day - 1))).toBeNull();
	});

	it('an expired session is not refreshed, from the instant of its expiry on', async () => {
		const { session } = await signIn();
		expect(await refresh(session.id, at(lifetime))).toBeNull();
		expect(await refresh(session.id, at(lifetime - 1))).not.toBeNull();
	});

	it('E10: of 100 concurrent refreshes exactly one succeeds', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			expect(await raceRefreshes(backing.instances, 100)).toBe(1);
		}
	});

	it('only the given session ends, and it ends immediately', async () => {
		const [phone, laptop] = [aHash(), aHash()];
		const { session } = await signIn(phone);
		await signIn(laptop);
		expect(await port().end(phone)).toBe(session.id);
		expect(await port().end(phone)).toBeNull();
		for (const { sessions } of backing.instances) {
			expect(await sessions.find(phone, at(1))).toBeNull();
			expect(await sessions.find(laptop, at(1))).not.toBeNull();
		}
	});

	it('of 20 concurrent endings exactly one succeeds', async () => {
		const token = aHash();
		await signIn(token);
		const ended = await atOnce(backing.instances, 20, ({ sessions }) => sessions.end(token));
		expect(ended.filter(Boolean)).toHaveLength(1);
	});

	it('a refresh during the end does not revive a session', async () => {
		for (let round = 0; round < rounds(3, 200); round += 1) {
			const token = aHash();
			const { session } = await signIn(token);
			const { instances } = backing;
			await Promise.all([
				refresh(session.id, at(day)),
				instances[instances.length - 1]?.sessions.end(token)
			]);
			expect(await port().find(token, at(day))).toBeNull();
		}
	});

	it('the sessions of an account are listed, the last used first', async () => {
		const [one, two, three] = [await signIn(), await signIn(aHash(), at(1)), await signIn()];
		await signIn(aHash(), at(2), anEmail());
		const used = await refresh(one.session.id, at(2 * day));
		const { id } = one.user;
		expect(await port().listOf(id, at(2 * day))).toMatchObject([used, two.session, three.session]);
	});

	it('of sessions last used at the same moment the newer is listed first', async () => {
		const opened = [await signIn(), await signIn(), await signIn()];
		const ids = opened.map(({ session }) => session.id);
		const listed = await port().listOf(opened[0]?.user.id ?? newUserId(), at(1));
		expect(listed.map(({ id }) => id)).toEqual(ids.reverse());
	});

	it('expired sessions are not listed, from the instant of their expiry on', async () => {
		const { user, session } = await signIn();
		expect(await port().listOf(user.id, at(lifetime - 1))).toMatchObject([session]);
		expect(await port().listOf(user.id, at(lifetime))).toEqual([]);
		expect(await port().listOf(newUserId(), at(1))).toEqual([]);
	});

	it('one session of an account ends by its id, once, and the others stay', async () => {
		const [phone, laptop] = [aHash(), aHash()];
		const { user, session } = await signIn(phone);
		await signIn(laptop);
		expect(await port().endOne(user.id, session.id)).toBe(session.id);
		expect(await port().find(phone, at(1))).toBeNull();
		expect(await port().find(laptop, at(1))).not.toBeNull();
		expect(await port().endOne(user.id, session.id)).toBeNull();
	});

	it('A11: an account cannot end another account’s session by its id', async () => {
		const token = aHash();
		const { session } = await signIn(token);
		const otherUser = await signIn(aHash(), at(0), anEmail());
		expect(await port().endOne(otherUser.user.id, session.id)).toBeNull();
		expect(await port().find(token, at(1))).not.toBeNull();
		expect(await backing.rows('sessions')).toBe(2);
	});

	it('E12: all sessions of an account end except the one to keep, and none of other accounts', async () => {
		const [mine, others] = [aHash(), aHash()];
		const { user, session } = await signIn(mine);
		const ended = [await signIn(), await signIn()].map((one) => one.session.id);
		await signIn(others, at(0), anEmail());
		expect([...(await port().endSessionsExcept(user.id, session.id))].sort()).toEqual(ended.sort());
		expect(await port().find(mine, at(1))).not.toBeNull();
		expect(await port().find(others, at(1))).not.toBeNull();
		expect(await backing.rows('sessions')).toBe(2);
		expect(await port().endSessionsExcept(user.id, session.id)).toEqual([]);
	});

	it('E12: all of them end when none is to be kept, or when the one to keep is another account’s', async () => {
		const { user } = await signIn();
		const otherUser = await signIn(aHash(), at(0), anEmail());
		expect(await port().endSessionsExcept(user.id, otherUser.session.id)).toHaveLength(1);
		await signIn();
		await signIn();
		expect(await port().endSessionsExcept(user.id, null)).toHaveLength(2);
		expect(await port().listOf(user.id, at(1))).toEqual([]);
		expect(await port().endSessionsExcept(newUserId(), null)).toEqual([]);
	});

	it('ending all voids codes, email changes and restore grants of the account, and of no other', async () => {
		const { challenges, emailChanges } = backing.stores;
		const adas = await signIn();
		const bobs = await signIn(aHash(), at(0), anEmail());
		const { user } = adas;
		const ways = ['sign_in', 'email_verification', 'account_restore'] as const;
		for (const signedIn of [adas, bobs]) {
			const one = signedIn.user;
			for (const purpose of ways) {
				await challenges.issue(aChallenge({ purpose, email: one.email }), at(0));
				const bound = aChallenge({ purpose, email: one.email, boundTo: aHash() });
				await challenges.issue(bound, at(0));
			}
			for (const purpose of EMAIL_CHANGE_PURPOSES) {
				await requestMove(backing.stores, signedIn, anEmail(), { purpose });
			}
		}
		expect(await backing.rows('challenges')).toBe(16);
		await port().endSessionsExcept(user.id, null);
		expect(await backing.rows('challenges')).toBe(8);
		expect(await emailChanges.pendingOf(user.id, at(1))).toBeNull();
		const guess = anAttempt({ email: bobs.user.email });
		expect(await challenges.countAttempt(guess, at(1), policy)).not.toBeNull();
		expect(await emailChanges.pendingOf(bobs.user.id, at(1))).not.toBeNull();
	});

	it('ending all but one session voids the same', async () => {
		const { user, session } = await signIn();
		await backing.stores.challenges.issue(aChallenge(), at(0));
		await port().endSessionsExcept(user.id, session.id);
		expect(await backing.rows('challenges')).toBe(0);
	});

	it('E12: during 50 lookups all sessions end, and none is found afterwards', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			expect(await raceEndAllBesideFinds(backing.instances, 50)).toEqual({
				failed: 0,
				ended: 5,
				foundAfter: 0
			});
		}
	});

	it('E12: a code entered while all sessions end leaves none', async () => {
		expect(await raceEndAllBesideSignIn(backing.instances, rounds(5, 400))).toEqual({
			failed: 0,
			left: 0
		});
	});

	it('E11: pruning removes sessions that expired before or at the given moment, and never a live one', async () => {
		const living = aHash();
		await signIn(aHash(), at(0));
		await signIn(aHash(), at(-5));
		await signIn(living, at(1));
		expect([await port().prune(at(lifetime), 1), await port().prune(at(lifetime), 9)]).toEqual([
			1, 1
		]);
		expect(await port().find(living, at(lifetime))).not.toBeNull();
		expect(await backing.rows('sessions')).toBe(1);
		expect(await backing.rows('users')).toBe(1);
	});
});
