import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { inEventContext } from '#lib/adapters/sql/events/record-event.ts';
import type { EventContext, EventKind } from '#lib/domain/events/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { aDecision, FREE, onSignUp } from '../consent/consent-examples.ts';
import { aDevicePlacement } from '../sessions/device-examples.ts';
import { move } from '../email-change/email-change-races.ts';
import { ada, aHash, anEmail, at, bob, newSessionId, newUserId } from '../stores/examples.ts';
import { atOnce } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';

/** Runs work as this file is loaded: outside of any context. */
const outside = AsyncLocalStorage.snapshot();

export const eventsContract = storeContract('events', (backing) => {
	const stores = () => backing.stores;
	const port = () => stores().events;
	const eventsOf = (id: UserId) => port().pageOf(id, null, 100);
	const kindsOf = async (id: UserId) => (await eventsOf(id)).map(({ kind }) => kind).reverse();
	const as = (seconds: number, but: Partial<EventContext> = {}): (() => EventContext) => {
		const source = { ipAddress: '192.0.2.0', userAgent: 'a browser' };
		const actor = { kind: 'person' } as const;
		return () => ({ actor, at: at(seconds), requestId: `request ${seconds}`, ...source, ...but });
	};
	/** One account, signed up at the first second. */
	const account = (email: Email = ada) => inEventContext(as(1), () => signIn(stores(), email));
	const later = <T>(work: () => T, seconds = 2): T => inEventContext(as(seconds), work);

	describe('a fact and its event', () => {
		it('an event has the context of the request that makes the fact', async () => {
			const { user } = await account();
			const id = newUserId();
			const operator = as(5, { actor: { kind: 'operator', id }, requestId: null });
			await inEventContext(operator, () => stores().sessions.endSessionsExcept(user.id, null));
			await inEventContext(as(6, { actor: { kind: 'system' }, ipAddress: null }), () =>
				stores().consents.grantMarketing(aDecision(user.id), FREE)
			);
			const none = { count: 1, detail: null, id: expect.any(String) };
			expect(await eventsOf(user.id)).toEqual([
				{
					...as(6)(),
					...none,
					kind: 'consent_granted',
					actor: { kind: 'system' },
					ipAddress: null
				},
				{ ...operator(), ...none, kind: 'session_ended' },
				{ ...as(1)(), ...none, kind: 'signed_up' }
			]);
		});

		it('facts at the same moment keep their own contexts', async () => {
			const people = await atOnce(backing.instances, 12, async (instance, index) => {
				const enter = await askedFor(stores(), anEmail());
				return inEventContext(as(index), () => enter(instance));
			});
			for (const [index, redeemed] of people.entries()) {
				if (redeemed?.kind !== 'signed_in') throw new Error('not signed in');
				expect(await eventsOf(redeemed.user.id)).toMatchObject([
					{ requestId: `request ${index}`, at: at(index) }
				]);
			}
		});

		it('work outside of any context fails', async () => {
			await expect(outside(() => signIn(stores(), ada))).rejects.toThrow(
				/no event context|store unavailable \(Error\)/
			);
			expect(await backing.rows('events')).toBe(0);
		});

		it('a task’s work is the system’s', async () => {
			const { user } = await signIn(stores(), ada);
			expect(await eventsOf(user.id)).toMatchObject([
				{ actor: { kind: 'system' }, requestId: null, ipAddress: null, userAgent: null }
			]);
		});

		type Person = Awaited<ReturnType<typeof account>> & {
			readonly token: ReturnType<typeof aHash>;
		};
		const endingTwo = async ({ user }: Person): Promise<void> => {
			await signIn(stores(), ada);
			await later(() => stores().sessions.endSessionsExcept(user.id, null));
		};
		const moving = async (person: Person) => (await move(stores(), person, bob)).undo.id;
		const facts: readonly (readonly [
			string,
			(person: Person) => Promise<unknown>,
			readonly (readonly [EventKind, object?])[]
		])[] = [
			['signing in again', () => signIn(stores(), ada), [['signed_in']]],
			['signing out', ({ token }) => stores().sessions.end(token), [['signed_out']]],
			[
				'ending a session',
				({ user, session }) => stores().sessions.endOne(user.id, session.id),
				[['session_ended']]
			],
			[
				'ending a device',
				({ session }) => stores().sessions.endOnDevice(session.id, null),
				[['session_ended']]
			],
			['ending two sessions', endingTwo, [['signed_in'], ['session_ended', { count: 2 }]]],
			[
				'signing in above the limit of sessions',
				() => signIn(stores(), ada, { sessionsPerAccount: 1 }),
				[['signed_in'], ['session_ended']]
			],
			[
				'signing in again in a browser that lost its session',
				async () => {
					const device = aDevicePlacement();
					await signIn(stores(), ada, { device });
					const again = aDevicePlacement({ presentedHashes: [device.keyHash] });
					await later(() => signIn(stores(), ada, { device: again }), 4);
				},
				[['signed_in'], ['signed_in'], ['session_ended']]
			],
			['moving', moving, [['email_changed', { detail: bob }]]],
			[
				'undoing that',
				async (person) => {
					const id = await moving(person);
					const undo = { id, from: bob, mails: [], device: aDevicePlacement() };
					await stores().emailUndos.undo(undo, at(4));
				},
				[
					['email_changed', { detail: bob }],
					['email_change_undone', { detail: ada }],
					['session_ended']
				]
			],
			[
				'consenting and withdrawing',
				async ({ user }) => {
					await stores().consents.grantMarketing(aDecision(user.id), FREE);
					await stores().consents.withdrawMarketing(aDecision(user.id, 6));
				},
				[['consent_granted'], ['consent_withdrawn']]
			],
			[
				'deleting',
				({ user }) => stores().accounts.delete(user.id, at(3)),
				[['deleted'], ['session_ended']]
			],
			[
				'restoring',
				async ({ user }) => {
					await stores().accounts.delete(user.id, at(3));
					await signIn(stores(), ada, { now: at(4), ifDeleted: { then: 'restore' } });
				},
				[['deleted'], ['session_ended'], ['restored'], ['signed_in']]
			],
			['another fact', ({ user }) => port().record(user.id, 'exported'), [['exported']]]
		];
		it.each(facts)('%s', async (_, fact, expected) => {
			const token = aHash();
			const person = await inEventContext(as(1), () => signIn(stores(), ada, { tokenHash: token }));
			let second = 1;
			const inOrder = (): EventContext => as((second += 1))();
			await inEventContext(inOrder, () => fact({ ...person, token }));
			const [first, ...others] = [...(await eventsOf(person.user.id))].reverse();
			expect(first?.kind).toBe('signed_up');
			expect(others).toMatchObject(
				expected.map(([kind, but]) => ({ kind, count: 1, detail: null, ...but }))
			);
			expect(others).toHaveLength(expected.length);
		});

		it('a consent at sign-up is an event of the new account', async () => {
			const { user } = await signIn(stores(), ada, { marketing: onSignUp });
			expect((await kindsOf(user.id)).toSorted()).toEqual(['consent_granted', 'signed_up']);
		});

		it('a sign-in that replaces the session of another account ends it there', async () => {
			const token = aHash();
			const first = await signIn(stores(), ada, { tokenHash: token });
			await signIn(stores(), bob, { replaces: token });
			expect((await kindsOf(first.user.id)).toSorted()).toEqual(['session_ended', 'signed_up']);
		});

		it('without the fact there is no event', async () => {
			const { user, session } = await account();
			await stores().sessions.end(aHash());
			await stores().sessions.endOne(user.id, newSessionId());
			await stores().sessions.endOnDevice(newSessionId(), null);
			await stores().consents.withdrawMarketing(aDecision(user.id));
			await stores().accounts.delete(newUserId(), at(2));
			await stores().sessions.endSessionsExcept(user.id, session.id);
			await port().record(newUserId(), 'exported');
			const again = await askedFor(stores(), ada);
			await again(stores());
			expect(await again(stores())).toBeNull();
			expect(await backing.rows('events')).toBe(2);
		});
	});

	it('a list is read in pages, newest first, also within a moment', async () => {
		const { user } = await account();
		await account(bob);
		for (const second of [2, 2, 2, 3]) {
			await later(() => port().record(user.id, 'exported'), second);
		}
		const all = await eventsOf(user.id);
		expect(all.map((one) => one.at)).toEqual([at(3), at(2), at(2), at(2), at(1)]);
		const [, second, third, fourth, fifth] = all;
		expect(await port().pageOf(user.id, second?.id ?? null, 2)).toEqual([third, fourth]);
		expect(await port().pageOf(user.id, fourth?.id ?? null, 2)).toEqual([fifth]);
		expect(await port().pageOf(user.id, fifth?.id ?? null, 2)).toEqual([]);
		const other = await account(anEmail());
		expect(await port().pageOf(other.user.id, second?.id ?? null, 2)).toEqual([]);
	});

	it('pruning removes so many of the earlier events, and no others', async () => {
		const { user } = await account();
		for (const second of [2, 3, 4]) await later(() => port().record(user.id, 'opened'), second);
		expect(await port().prune(at(3), 1)).toBe(1);
		expect(await port().prune(at(3), 5)).toBe(1);
		expect(await port().prune(at(3), 5)).toBe(0);
		expect(await kindsOf(user.id)).toEqual(['opened', 'opened']);
	});

	it('a purge blanks the events of the account, and what it did as an operator', async () => {
		const { user } = await account();
		const other = await account(bob);
		const operator = as(2, { actor: { kind: 'operator', id: user.id } });
		for (const { id } of [other.user, user])
			await inEventContext(operator, () => port().record(id, 'opened'));
		const remaining = { kind: 'operator', id: other.user.id } as const;
		await inEventContext(as(2, { actor: remaining }), () => port().record(user.id, 'blocked'));
		await later(() => stores().accounts.delete(user.id, at(3)), 3);
		await inEventContext(as(4, { actor: { kind: 'system' } }), () =>
			stores().accounts.purge(at(3), 5)
		);
		const noClient = { ipAddress: null, userAgent: null };
		expect(await eventsOf(other.user.id)).toMatchObject([
			{ kind: 'opened', actor: { kind: 'operator', id: null }, ...noClient },
			{ kind: 'signed_up', ipAddress: '192.0.2.0' }
		]);
		expect(await eventsOf(user.id)).toEqual([]);
		const rows = (await backing.dump('events')) as readonly Record<string, unknown>[];
		const blank = rows.filter(({ userId }) => userId === null);
		expect(blank.map(({ kind }) => kind).toSorted()).toEqual([
			'blocked',
			'deleted',
			'opened',
			'purged',
			'session_ended',
			'signed_up'
		]);
		for (const row of blank)
			expect(row).toMatchObject({ ...noClient, requestId: null, detail: null });
		// The operator who remains is still the actor.
		expect(JSON.stringify(blank)).toContain(other.user.id);
		expect(JSON.stringify(rows)).not.toContain(user.id);
	});
});
