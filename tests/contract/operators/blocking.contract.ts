import { expect, it } from 'vitest';
import type { IfDeleted, Purpose } from '#lib/domain/sign-in/ports.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { present } from '../../support/http/fixtures.ts';
import { aDevicePlacement } from '../sessions/device-examples.ts';
import { move, requestMove } from '../email-change/email-change-races.ts';
import {
	ada,
	adasPhone,
	aChallenge,
	anAttempt,
	aHash,
	anEmail,
	aRedemption,
	at,
	bob,
	newChallengeId,
	newUserId,
	policy,
	rounds
} from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';
import { act, raceBlockBesideSignIns } from './operator-races.ts';

export const blockingContract = storeContract('blocking', (backing) => {
	const stores = () => backing.stores;

	const blocked = async () => {
		const { user } = await signIn(stores());
		await act(stores(), 'block', user.id);
		return user;
	};
	/** A code of Ada with one counted guess, and how many are counted. */
	const guessed = async (purpose: Purpose = 'sign_in') => {
		const { challenges } = stores();
		const boundTo = aHash();
		await challenges.issue(aChallenge({ purpose, boundTo }), at(10));
		const guess = anAttempt({ purpose, boundTo });
		const challenge = present(await challenges.countAttempt(guess, at(11), policy));
		const attempts = async () =>
			(await challenges.latestOf(boundTo, purpose))?.attemptsUsed ?? null;
		return { challenge, attempts };
	};

	it('it ends all sessions, revokes codes and changes, and shows nothing to the devices', async () => {
		const device = aDevicePlacement({ keyHash: adasPhone });
		const [first, second] = [await signIn(stores(), ada, { device }), await signIn(stores())];
		const other = await signIn(stores(), bob);
		await requestMove(stores(), first, anEmail());
		await stores().challenges.issue(aChallenge(), at(2));
		await stores().challenges.issue(aChallenge({ purpose: 'account_restore' }), at(2));
		const ended = await act(stores(), 'block', first.user.id);
		expect([...ended].toSorted()).toEqual([first.session.id, second.session.id].toSorted());
		expect(await backing.rows('challenges')).toBe(0);
		// A block shows only to a right code.
		expect(await stores().devices.knownAccount(adasPhone, ada)).toBe(first.user.id);
		expect(await stores().devices.lastEmail(adasPhone)).toBe(ada);
		expect(await stores().sessions.listOf(other.user.id, at(5))).toHaveLength(1);
	});

	it('a right code opens no session, stays, and its guess is given back', async () => {
		await blocked();
		const { challenge, attempts } = await guessed();
		expect(await stores().signIns.redeem(aRedemption(challenge))).toEqual({ kind: 'blocked' });
		expect([await attempts(), await backing.rows('sessions')]).toEqual([0, 0]);
	});

	it('a right code of the other purpose confirms nothing, stays, and its guess is given back', async () => {
		await blocked();
		const { challenge, attempts } = await guessed('email_verification');
		expect(await stores().accounts.consumeChallenge(challenge.id)).toBe('blocked');
		expect(await attempts()).toBe(0);
	});

	it('a checked code gets its guess back, and not that of an active account', async () => {
		const { challenges } = stores();
		const user = await blocked();
		const { challenge, attempts } = await guessed();
		expect(await challenges.giveBackIfBlocked(newChallengeId())).toBe(false);
		expect([await challenges.giveBackIfBlocked(challenge.id), await attempts()]).toEqual([true, 0]);
		await act(stores(), 'unblock', user.id);
		const later = await guessed();
		expect(await challenges.giveBackIfBlocked(later.challenge.id)).toBe(false);
		expect(await later.attempts()).toBe(1);
	});

	it.each<[string, IfDeleted['then'], string]>([
		['stays deleted', 'refuse', 'deleted'],
		['cannot be restored', 'restore', 'blocked']
	])('a deleted account that is blocked %s', async (_, then, kind) => {
		const user = await blocked();
		await stores().accounts.delete(user.id, at(9));
		const enter = await askedFor(stores(), ada, { ifDeleted: { then } as IfDeleted });
		expect(await enter(stores())).toMatchObject({ kind });
		expect((await stores().accounts.find(ada))?.deletedAt).toEqual(at(9));
		const { challenge } = await guessed();
		expect(await stores().challenges.giveBackIfBlocked(challenge.id)).toBe(false);
	});

	it('an undo works, opens no session and leaves the block', async () => {
		const person = await signIn(stores());
		const to = anEmail();
		const { undo } = await move(stores(), person, to);
		await act(stores(), 'block', person.user.id);
		const undoing = { id: undo.id, from: to, mails: [], device: aDevicePlacement() };
		expect(await stores().emailUndos.undo(undoing, at(20))).toMatchObject({ ended: [] });
		const { challenge } = await guessed();
		expect(await stores().signIns.redeem(aRedemption(challenge))).toEqual({ kind: 'blocked' });
	});

	it('an account is unblocked, and signs in again', async () => {
		const user = await blocked();
		expect(await act(stores(), 'unblock', user.id)).toEqual([]);
		expect((await signIn(stores())).user.id).toBe(user.id);
	});

	it('an action that finds nothing to do says so', async () => {
		const { user } = await signIn(stores());
		expect(await act(stores(), 'unblock', user.id)).toBe('unchanged');
		await act(stores(), 'block', user.id);
		expect(await act(stores(), 'block', user.id)).toBe('unchanged');
		expect(await act(stores(), 'block', newUserId())).toBe('gone');
	});

	it('no session is left of sign-ins at the same moment', async () => {
		const race = await raceBlockBesideSignIns(backing.instances, rounds(5, 200));
		expect(race).toEqual({ sessionsLeft: 0, failed: 0 });
	});
});
