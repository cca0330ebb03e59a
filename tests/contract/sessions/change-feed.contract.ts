import { eq, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { monotonic } from '#lib/adapters/system/system.ts';
import { cacheValidity, type SeenSession } from '#lib/adapters/web/edge/session/cache-validity.ts';
import type { ChangeFeed, Revoked } from '#lib/domain/sessions/ports.ts';
import type { Redeemed } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import type { SqlBacking, ClockedFeed } from '../../support/database/backing.ts';
import { signIn as signInTo } from '../account/account-examples.ts';
import { completing, move, requestMove } from '../email-change/email-change-races.ts';
import { ada, aChallenge, aHash, anEmail, at, bob, policy } from '../stores/examples.ts';
import { aName } from '../../support/domain/builders.ts';
import { present } from '../../support/http/fixtures.ts';
import { opened, storeContract } from '../stores/suite.ts';

const soon = { interval: 5 };

/** An instance that trusts its cached entries as long as its feed allows. */
export const believer = ({ changes, clock }: ClockedFeed) => {
	const received: Revoked[] = [];
	changes.subscribe((id) => received.push(id));
	const validity = cacheValidity(changes, monotonic);
	const isCurrent = (seen: SeenSession): boolean => validity.isCurrent(seen, clock.now());
	return { isCurrent, received, now: clock.now };
};

export type Believer = ReturnType<typeof believer>;

/** Reads a session until the instance trusts the entry. */
export const believed = async (
	{ isCurrent }: Pick<Believer, 'isCurrent'>,
	{ user, session }: Redeemed
): Promise<SeenSession> => {
	let seen: SeenSession = { user, session, readAt: -Infinity };
	const read = (): boolean => {
		seen = { ...seen, readAt: monotonic() };
		return isCurrent(seen);
	};
	await expect.poll(read, { interval: 20 }).toBe(true);
	return seen;
};

export const changeFeedContract = storeContract('a change feed', (backing) => {
	it('an entry is current while nothing changes', async () => {
		const redeemed = await signInTo(backing.stores, ada, { now: new Date() });
		for (const feed of backing.feeds) {
			const one = believer(feed);
			const seen = await believed(one, redeemed);
			expect(one.isCurrent(seen)).toBe(true);
		}
	});

	it('an entry from before the first contact is not current', async () => {
		const redeemed = await signInTo(backing.stores, ada, { now: new Date() });
		for (const feed of backing.feeds) {
			const one = believer(feed);
			await believed(one, redeemed);
			const since = present(feed.changes.reliableSince());
			expect(one.isCurrent({ ...redeemed, readAt: since - 1 })).toBe(false);
			expect(since).toBeLessThanOrEqual(monotonic());
		}
	});
});

/** Of instances that share a database, in different processes. */
export const sharedChangesContract = (
	name: 'sqlite' | 'postgres',
	open: () => Promise<SqlBacking>
): void => {
	describe(`a change feed (${name}) of another instance’s changes`, () => {
		const backing = opened(open);
		const database = () => present(backing.databases[0]);
		/** The instance that makes changes. */
		const here = (): Stores => backing.stores;
		/** The instance that is notified. */
		const there = (): Believer => believer(present(backing.feeds[1]));
		const signIn = async (email = ada): Promise<Redeemed> =>
			signInTo(here(), email, { now: backing.feeds[0]?.clock.now() ?? at(0) });
		/**
		 * A user with two sessions: the other instance’s entry of the first one, and the second one.
		 */
		const twice = async () => {
			const [first, second] = [await signIn(), await signIn()];
			const other = there();
			return { first, second, other, seen: await believed(other, first) };
		};
		const expectStale = (other: Believer, seen: SeenSession) =>
			expect.poll(() => other.isCurrent(seen), soon).toBe(false);

		afterEach(() => {
			vi.useRealTimers();
		});

		const endings: Record<string, (first: Redeemed, second: Redeemed) => Promise<unknown>> = {
			'was revoked by its handle': ({ user, session }) =>
				here().sessions.endOne(user.id, session.id),
			'was ended with all others': ({ user }, second) =>
				here().sessions.endSessionsExcept(user.id, second.session.id),
			'was ended with all': ({ user }) => here().sessions.endSessionsExcept(user.id, null),
			'was unused longest': ({ user }) =>
				signInTo(here(), user.email, { sessionsPerAccount: 2, now: there().now() }),
			'had its account deleted': ({ user }) => here().accounts.delete(user.id, at(0)),
			'was ended by a change of address': async (first, second) => {
				const challenge = await requestMove(here(), first, anEmail());
				return here().emailChanges.complete(completing(second, challenge), at(1));
			},
			'was deleted in the database': ({ session }) => {
				const { db, tables } = database();
				return db.delete(tables.session).where(eq(tables.session.id, session.id));
			},
			'was deleted with its account in the database': async ({ user }) => {
				const { db, tables } = database();
				// The events of an account hold it.
				await db.delete(tables.event);
				return db.delete(tables.user).where(eq(tables.user.id, user.id));
			}
		};

		it.each(Object.keys(endings))('E06: a session that %s is no longer current', async (way) => {
			const { first, second, other, seen } = await twice();
			expect(await endings[way]?.(first, second)).toBeTruthy();
			await expectStale(other, seen);
			if (name === 'postgres') {
				await expect.poll(() => other.received, soon).toContain(first.session.id);
			}
		});

		it('E03 E06: a session that was signed out, or replaced by signing in again, is no longer current', async () => {
			for (const way of ['sign-out', 'replaced']) {
				const tokenHash = aHash();
				const enter = (but: object) => signInTo(here(), bob, { now: there().now(), ...but });
				const first = await enter({ tokenHash });
				const other = there();
				const seen = await believed(other, first);
				if (way === 'sign-out') expect(await here().sessions.end(tokenHash)).toBe(first.session.id);
				else expect((await enter({ replaces: tokenHash })).ended).toEqual([first.session.id]);
				await expectStale(other, seen);
			}
		});

		const changes: Record<string, (one: Redeemed) => Promise<unknown>> = {
			'its profile': ({ user }) => here().accounts.update(user.id, { name: aName('Grace') }, at(1)),
			'its address': async (one) => (await move(here(), one, anEmail())).moved,
			'its row in the database': ({ user }) => {
				const { db, tables } = database();
				const changed = { name: aName('Grace') };
				return db.update(tables.user).set(changed).where(eq(tables.user.id, user.id));
			}
		};

		it.each(Object.keys(changes))(
			'an entry of an account is stale after a change of %s, and a later entry is current',
			async (what) => {
				const one = await signIn();
				const other = there();
				const seen = await believed(other, one);
				expect(await changes[what]?.(one)).toBeTruthy();
				await expectStale(other, seen);
				await believed(other, one);
			}
		);

		if (name === 'postgres') {
			it('entries of other accounts stay current', async () => {
				const { first, other, seen } = await twice();
				const bobs = await believed(other, await signIn(bob));
				await here().accounts.update(first.user.id, { name: aName('Grace') }, at(1));
				await here().sessions.endSessionsExcept(first.user.id, null);
				await expectStale(other, seen);
				expect(other.isCurrent(bobs)).toBe(true);
			});

			it('expired sessions, session use and updates without a change send no notification', async () => {
				const old = await signInTo(here(), bob, { now: at(0) });
				const { first, second, other } = await twice();
				const now = other.now();
				const times = { now, dueSince: now, expiresAt: new Date(now.getTime() + 9e9) };
				await here().sessions.refresh(first.session.id, times);
				await database().db.execute(sql`update "user" set name = name`);
				expect(await here().sessions.prune(at(policy.session.lifetime), 10)).toBe(1);
				expect(old.session.expiresAt < now).toBe(true);
				// Notifications come in order, so all earlier ones have arrived.
				await here().sessions.endOne(second.user.id, second.session.id);
				await expect.poll(() => other.received.length, soon).toBeGreaterThan(0);
				expect(other.received).toEqual([second.session.id]);
			});
		} else {
			/** Another instance’s feed, created while time stands still. */
			const feedAtFixedTime = () => {
				vi.useFakeTimers({ toFake: ['performance'] });
				return present(backing.databases[1]).changes();
			};
			/** The feed as a later request finds it. */
			const since = async (feed: ChangeFeed) => {
				await new Promise((resolve) => setImmediate(resolve));
				return feed.reliableSince();
			};

			it('this instance’s own writes make nothing stale; another instance’s writes make everything stale', async () => {
				const feed = feedAtFixedTime();
				const before = await since(feed);
				for (let write = 0; write < 3; write += 1) {
					vi.advanceTimersByTime(300);
					await backing.instances[1]?.challenges.issue(aChallenge(), at(0));
					expect(await since(feed)).toBe(before);
				}
				vi.advanceTimersByTime(300);
				await here().challenges.issue(aChallenge({ email: bob }), at(0));
				vi.advanceTimersByTime(300);
				expect(await since(feed)).toBe(performance.now());
			});

			it('E06 E12 a write of another instance is known in the next turn of the event loop', async () => {
				const feed = feedAtFixedTime();
				for (let write = 0; write < 3; write += 1) {
					vi.advanceTimersByTime(1);
					const before = await since(feed);
					await here().challenges.issue(
						aChallenge({ email: anEmail(`${write}@example.com`) }),
						at(0)
					);
					vi.advanceTimersByTime(1);
					expect([write, await since(feed)]).toEqual([write, performance.now()]);
					expect(await since(feed)).toBeGreaterThan(before ?? Infinity);
				}
			});
		}
	});
};
