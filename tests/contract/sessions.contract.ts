import { describe, expect, it } from 'vitest';
import type { Redeemed } from '#lib/domain/ports/sign-ins.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import type { OpenBacking } from '../support/backing.ts';
import {
	ada,
	aChallenge,
	aHash,
	anEmail,
	aRedemption,
	at,
	newSessionId,
	policy,
	rounds
} from './examples.ts';
import { raceRefreshes } from './races.ts';
import { opened } from './suite.ts';

const day = policy.session.refreshAfter;
const lifetime = policy.session.lifetime;

export const sessionsContract = (name: string, open: OpenBacking): void => {
	describe(`sessions (${name})`, () => {
		const backing = opened(open);
		const port = () => backing().stores.sessions;
		/** A session of Ada's that begins at the given second. */
		const signIn = async (tokenHash = aHash(), now = at(0), email = ada): Promise<Redeemed> => {
			const { challenges, signIns } = backing().stores;
			const challenge = aChallenge({ email });
			await challenges.issue(challenge);
			const redeemed = await signIns.redeem(aRedemption(challenge, { tokenHash, now }));
			if (redeemed === null) throw new Error('the code was not redeemed');
			return redeemed;
		};
		const refresh = (id: Redeemed['session']['id'], now: Date) =>
			port().refresh(id, now, secondsAfter(now, -day), secondsAfter(now, lifetime));

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

		it('E11: an expired session is not found, from its very expiry on', async () => {
			const token = aHash();
			await signIn(token);
			expect(await port().find(token, at(lifetime - 1))).not.toBeNull();
			expect(await port().find(token, at(lifetime))).toBeNull();
			expect(await port().find(token, at(lifetime + 1))).toBeNull();
		});

		it('finding writes nothing', async () => {
			const token = aHash();
			const { session } = await signIn(token);
			await port().find(token, at(10 * day));
			expect((await port().find(token, at(1)))?.session).toEqual(session);
		});

		it('a refresh moves the expiry and the last refresh, and returns the session as it is then', async () => {
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

		it('an expired session is not refreshed, from its very expiry on', async () => {
			const { session } = await signIn();
			expect(await refresh(session.id, at(lifetime))).toBeNull();
			expect(await refresh(session.id, at(lifetime - 1))).not.toBeNull();
		});

		it('a session that is not there is not refreshed', async () => {
			expect(await refresh(newSessionId(), at(day))).toBeNull();
		});

		it('E10: of 100 refreshes at once exactly one does it', async () => {
			for (let round = 0; round < rounds(3, 50); round += 1) {
				expect(await raceRefreshes(backing().instances, 100)).toBe(1);
			}
		});

		it('an ended session is gone at once, and only that one', async () => {
			const [phone, laptop] = [aHash(), aHash()];
			const { session } = await signIn(phone);
			await signIn(laptop);
			expect(await port().end(phone)).toBe(session.id);
			for (const { sessions } of backing().instances) {
				expect(await sessions.find(phone, at(1))).toBeNull();
				expect(await sessions.find(laptop, at(1))).not.toBeNull();
			}
		});

		it('ending says which session it was, and null for what is not there', async () => {
			const token = aHash();
			const { session } = await signIn(token);
			expect(await port().end(aHash())).toBeNull();
			expect(await port().end(token)).toBe(session.id);
			expect(await port().end(token)).toBeNull();
		});

		it('of 20 endings at once exactly one ended it', async () => {
			const token = aHash();
			await signIn(token);
			const { instances } = backing();
			const ended = await Promise.all(
				Array.from({ length: 20 }, (_, index) =>
					instances[index % instances.length]?.sessions.end(token)
				)
			);
			expect(ended.filter(Boolean)).toHaveLength(1);
		});

		it('a refresh beside the end does not bring a session back', async () => {
			for (let round = 0; round < rounds(10, 200); round += 1) {
				const token = aHash();
				const { session } = await signIn(token);
				const { instances } = backing();
				await Promise.all([
					refresh(session.id, at(day)),
					instances[instances.length - 1]?.sessions.end(token)
				]);
				expect(await port().find(token, at(day))).toBeNull();
			}
		});

		it('E11: pruning removes what expired before or at the moment, and never a living one', async () => {
			const living = aHash();
			await signIn(aHash(), at(0));
			await signIn(aHash(), at(-5));
			await signIn(living, at(1));
			expect(await port().prune(at(lifetime), 100)).toBe(2);
			expect(await port().find(living, at(lifetime))).not.toBeNull();
			expect(await backing().rows('sessions')).toBe(1);
			expect(await backing().rows('users')).toBe(1);
		});

		it('pruning removes at most as many as it is told, and says how many', async () => {
			for (let made = 0; made < 3; made += 1) await signIn();
			expect(await port().prune(at(lifetime), 2)).toBe(2);
			expect(await port().prune(at(lifetime), 2)).toBe(1);
			expect(await port().prune(at(lifetime), 2)).toBe(0);
		});

		// Memory is nothing but the process.
		if (name !== 'memory') {
			it('sessions survive a restart', async () => {
				const token = aHash();
				const { user, session } = await signIn(token);
				const stores = await backing().reopen();
				expect(await stores.sessions.find(token, at(1))).toEqual({ user, session });
			});
		}

		it('what is returned is a copy: changing its dates changes nothing stored', async () => {
			const token = aHash();
			const signedIn = structuredClone(await signIn(token));
			const found = await port().find(token, at(1));
			found?.session.expiresAt.setTime(0);
			found?.user.createdAt.setTime(0);
			const again = await port().find(token, at(1));
			expect(again).toEqual({ user: signedIn.user, session: signedIn.session });
		});
	});
};
