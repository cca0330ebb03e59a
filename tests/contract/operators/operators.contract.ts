import { describe, expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { Redeemed } from '#lib/domain/sign-in/ports.ts';
import { aSend } from '../../support/domain/builders.ts';
import { signIn } from '../account/account-examples.ts';
import { anOutboxRow } from '../delivery/outbox-examples.ts';
import { aDevicePlacement } from '../sessions/device-examples.ts';
import { completing, move, requestMove } from '../email-change/email-change-races.ts';
import {
	ada,
	adasPhone,
	aChallenge,
	anEmail,
	at,
	bob,
	newSessionId,
	newUndoId,
	newUserId,
	policy,
	rounds
} from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';
import { act, raceActions, raceRoleBesideMove } from './operator-races.ts';

export const operatorsContract = storeContract('operators', (backing) => {
	const stores = () => backing.stores;
	const port = () => stores().operators;
	const kindsOf = async (id: UserId) =>
		(await stores().events.pageOf(id, null, 100)).map(({ kind }) => kind).toSorted();
	const operator = async (email = ada) => {
		const person = await signIn(stores(), email);
		await act(stores(), 'grant', person.user.id, { email }, 2);
		return person;
	};
	/** Moves an account by a code of its own, and returns how to undo that. */
	const moved = async (person: Redeemed, to: Email) => {
		const { undo } = await move(stores(), person, to);
		return { id: undo.id, from: to, mails: [], device: aDevicePlacement() };
	};

	describe('the role', () => {
		it('it is given and taken by the email address of an active account', async () => {
			const { user } = await signIn(stores());
			const role = (verb: 'grant' | 'revoke', email = ada) =>
				act(stores(), verb, user.id, { email, allowsOperators: true }, 2);
			expect(await role('grant', bob)).toBe('gone');
			expect(await role('revoke')).toBe('unchanged');
			expect(await role('grant')).toEqual([]);
			expect(await port().isOperator(user.id)).toBe(true);
			expect(await role('grant')).toBe('unchanged');
			expect(await role('revoke')).toEqual([]);
			expect(await port().isOperator(user.id)).toBe(false);
			expect(await kindsOf(user.id)).toEqual(['role_granted', 'role_revoked', 'signed_up']);
		});

		it('it ends with an email change, with the undo of one, and with the account', async () => {
			const person = await operator();
			const { id } = person.user;
			const to = anEmail();
			const undo = await moved(person, to);
			const after = [await port().isOperator(id)];
			await act(stores(), 'grant', id, { email: to }, 4);
			await stores().emailUndos.undo(undo, at(5));
			after.push(await port().isOperator(id));
			await act(stores(), 'grant', id, { email: ada }, 6);
			await stores().accounts.delete(id, at(7));
			expect(await act(stores(), 'grant', id)).toBe('gone');
			await act(stores(), 'restore', id);
			after.push(await port().isOperator(id));
			expect(after).toEqual([false, false, false]);
		});

		it('a blocked account is no operator', async () => {
			const { user } = await operator();
			await act(stores(), 'block', user.id, { allowsOperators: true });
			expect(await port().isOperator(user.id)).toBe(false);
		});

		it('an address that the account leaves at the same moment gives none', async () => {
			const race = await raceRoleBesideMove(backing.instances, rounds(5, 200));
			expect(race).toEqual({ astray: 0, failed: 0 });
		});
	});

	describe('finding', () => {
		const emails = ['a.b@example.com', 'a@example.com', 'a_b@example.com', 'ab@example.com'];

		it('accounts are listed by prefix in the order of bytes, after an address', async () => {
			for (const email of [...emails, 'b@example.com'].toReversed()) {
				await signIn(stores(), email as Email);
			}
			const list = async (prefix: string, after: string | null = null, limit = 10) =>
				(await port().list({ prefix, after, limit })).map(({ email }) => email);
			expect(await list('a')).toEqual(emails);
			expect(await list('')).toEqual([...emails, 'b@example.com']);
			expect(await list('a', 'a@example.com', 1)).toEqual(['a_b@example.com']);
			expect(await list('b', 'a@example.com')).toEqual(['b@example.com']);
			expect(await list('a@example.com')).toEqual(['a@example.com']);
			expect(await list('%')).toEqual([]);
		});

		it('deleted, blocked and operator accounts are found, and look like it', async () => {
			const { user } = await operator();
			const found = { id: user.id, role: 'operator' };
			await act(stores(), 'block', user.id, { allowsOperators: true });
			expect(await port().find(user.id)).toMatchObject({ ...found, blockedAt: at(5) });
			await stores().accounts.delete(user.id, at(6));
			const [listed] = await port().list({ prefix: ada, after: null, limit: 1 });
			expect(listed).toMatchObject({ role: null, deletedAt: at(6), blockedAt: at(5) });
			expect(await port().find(newUserId())).toBeNull();
		});

		it('the sends of an account, and its wrong guesses', async () => {
			const { user } = await signIn(stores(), ada);
			await stores().throttle.countSend(aSend(ada, at(3)), policy);
			await stores().throttle.countSend({ ...aSend(ada, at(4)), chargedKey: user.id }, policy);
			await stores().throttle.countWrongCode(ada, at(4), policy);
			const account = await port().find(user.id);
			expect(account && (await port().sendsOf(account))).toEqual({
				mailbox: [at(3)],
				devices: [at(4)],
				wrongCodes: 1
			});
		});
	});

	describe('an action', () => {
		it('does nothing to an operator, unless it may', async () => {
			const { user, session } = await operator();
			const verbs = ['end_sessions', 'block', 'unblock', 'delete', 'restore', 'revoke'] as const;
			const mails = [anOutboxRow()];
			for (const verb of verbs) {
				const action = { verb, userId: user.id, allowsOperators: false };
				expect(await port().act(action, at(5), mails)).toBe('is_operator');
			}
			const one = { session: session.id };
			expect(await act(stores(), 'end_sessions', user.id, one)).toBe('is_operator');
			expect(await backing.rows('outboxRows')).toBe(0);
			expect(await stores().sessions.listOf(user.id, at(5))).toHaveLength(1);
			const may = { allowsOperators: true };
			expect(await act(stores(), 'end_sessions', user.id, may)).toEqual([session.id]);
		});

		it('concurrent ones act once, and on no account that became an operator’s', async () => {
			const race = await raceActions(backing.instances, rounds(5, 200));
			expect(race).toEqual({ blockedOperators: 0, doubled: 0, failed: 0 });
		});

		it('ends one session, or all', async () => {
			const [one, two] = [await signIn(stores()), await signIn(stores())];
			const end = (session: SessionId | null) =>
				act(stores(), 'end_sessions', one.user.id, { session });
			expect(await end(newSessionId())).toBe('unchanged');
			expect(await end(one.session.id)).toEqual([one.session.id]);
			expect(await end(null)).toEqual([two.session.id]);
		});

		it('deletes and restores, without a session and beside a block', async () => {
			const { user, session } = await signIn(stores());
			const action = { verb: 'delete', userId: user.id, allowsOperators: false } as const;
			const remove = (but = {}) => port().act({ ...action, ...but }, at(5), [anOutboxRow()]);
			expect(await act(stores(), 'restore', user.id)).toBe('unchanged');
			expect(await remove({ email: bob })).toBe('gone');
			expect(await remove()).toEqual([session.id]);
			expect(await remove()).toBe('unchanged');
			expect(await backing.rows('outboxRows')).toBe(1);
			await act(stores(), 'block', user.id);
			expect(await act(stores(), 'restore', user.id)).toEqual([]);
			expect(await port().find(user.id)).toMatchObject({ deletedAt: null, blockedAt: at(5) });
			expect(await backing.rows('sessions')).toBe(0);
			expect(await kindsOf(user.id)).toEqual(
				['signed_up', 'deleted', 'session_ended', 'blocked', 'restored'].toSorted()
			);
			expect(await remove({ userId: newUserId() })).toBe('gone');
		});
	});

	describe('an email change', () => {
		const to = anEmail('ada-new');
		const requested = async (userId: UserId, but: object = {}) => {
			const purpose = 'operator_email_change';
			const challenge = aChallenge({ purpose, email: to, boundTo: userId, ...but });
			await stores().challenges.issue(challenge, at(1));
			const undo = { id: newUndoId(), expiresAt: at(900), mailsWithUndo: [anOutboxRow()] };
			const change = {
				challengeId: challenge.id,
				userId,
				from: ada,
				to,
				mailsWithoutUndo: [],
				undo
			};
			return { ...change, keep: null, reason: 'lost the old one' };
		};

		it('moves the account, ends everything, keeps a block, and can be undone', async () => {
			const device = aDevicePlacement({ keyHash: adasPhone });
			const { user } = await signIn(stores(), ada, { device });
			await act(stores(), 'grant', user.id);
			await act(stores(), 'block', user.id, { allowsOperators: true });
			const change = await requested(user.id);
			const moved = await stores().emailChanges.complete(change, at(6));
			expect(moved).toMatchObject({ user: { id: user.id, email: to }, ended: [] });
			expect(await port().find(user.id)).toMatchObject({ role: null, blockedAt: at(5) });
			expect(await backing.rows('outboxRows')).toBe(1);
			const [event] = await stores().events.pageOf(user.id, null, 100);
			expect(event).toMatchObject({ kind: 'email_changed', detail: 'lost the old one' });
			expect(await stores().emailChanges.complete(change, at(7))).toBeNull();
			const undoing = { id: change.undo.id, from: to, mails: [], device: aDevicePlacement() };
			expect(await stores().emailUndos.undo(undoing, at(8))).toMatchObject({
				user: { email: ada }
			});
		});

		it('needs a challenge of its own, and a free address', async () => {
			const person = await signIn(stores());
			const { id } = person.user;
			const own = await requestMove(stores(), person, to);
			const change = await requested(id);
			expect(
				await stores().emailChanges.complete({ ...change, challengeId: own.id }, at(6))
			).toBeNull();
			const ownChange = { ...completing(person, own), challengeId: change.challengeId };
			expect(await stores().emailChanges.complete(ownChange, at(6))).toBeNull();
			await signIn(stores(), to);
			expect(await stores().emailChanges.complete(change, at(6))).toBe('email_taken');
			expect((await port().find(id))?.email).toBe(ada);
		});
	});
});
