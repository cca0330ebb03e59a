import { expect, it } from 'vitest';
import { type Redeemed, type SessionChallenge } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { signIn } from '../account/account-examples.ts';
import {
	accountOf,
	aChange,
	completing,
	move,
	raceEndBesideMove,
	requestMove
} from '../email-change/email-change-races.ts';
import { present } from '../../support/http/fixtures.ts';
import {
	ada,
	aChallenge,
	anAttempt,
	aHash,
	anEmail,
	at,
	bob,
	newSessionId,
	policy,
	rounds
} from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';

const carol = anEmail('carol');

/** The code that a session needs before it may request a change. */
const aReauthentication = ({ user, session }: Redeemed): SessionChallenge => ({
	...aChallenge({ purpose: 'reauthentication', email: user.email, boundTo: session.id }),
	requestedBy: session.id
});

/**
 * The requesting session, opened under a hash that the test knows, and another one of its account.
 */
interface Two {
	readonly tokenHash: ReturnType<typeof aHash>;
	readonly first: Redeemed;
	readonly second: Redeemed;
}

/** Every way in which a session can end before it expires. */
const endings: Record<string, (stores: Stores, two: Two) => Promise<unknown>> = {
	'is signed out': ({ sessions }, { tokenHash }) => sessions.end(tokenHash),
	'is ended on another device': ({ sessions }, { first }) =>
		sessions.endOne(first.user.id, first.session.id),
	'is ended with all others': ({ sessions }, { first, second }) =>
		sessions.endSessionsExcept(first.user.id, second.session.id),
	'is ended with all': ({ sessions }, { first }) => sessions.endSessionsExcept(first.user.id, null),
	'is replaced by a new sign-in': (stores, { tokenHash }) =>
		signIn(stores, ada, { replaces: tokenHash, now: at(2) }),
	'is replaced by a sign-in to another account': (stores, { tokenHash }) =>
		signIn(stores, bob, { replaces: tokenHash, now: at(2) }),
	'was unused longest when a further one opens': (stores) =>
		signIn(stores, ada, { sessionsPerAccount: 2, now: at(2) }),
	'is pruned': ({ sessions }, { first }) => sessions.prune(first.session.expiresAt, 10),
	'loses its account': ({ accounts }, { first }) => accounts.delete(first.user.id, at(2)),
	'is ended by a change of address': async (stores, { second }) =>
		(await move(stores, second, anEmail())).moved
};

/** The data of a session: email changes, and the codes that must come before them. */
export const sessionRequestsContract = storeContract('requests of a session', (backing) => {
	const port = () => backing.stores.emailChanges;
	const pendingOf = ({ user }: Redeemed, now = at(3)) => port().pendingOf(user.id, now);
	const entered = ({ purpose, email, boundTo }: SessionChallenge) =>
		backing.stores.challenges.countAttempt(anAttempt({ purpose, email, boundTo }), at(3), policy);
	const twoSessions = async (): Promise<Two> => {
		const tokenHash = aHash();
		const first = await signIn(backing.stores, ada, { tokenHash });
		return { tokenHash, first, second: await signIn(backing.stores) };
	};
	/** One request of each purpose, by the first session. */
	const requested = async ({ first }: Two): Promise<readonly SessionChallenge[]> => {
		const all = [
			aChange(first, carol),
			aChange(first, carol, { purpose: 'email_change_link' }),
			aReauthentication(first)
		];
		for (const one of all) await port().request(one, accountOf(first), at(0));
		return all;
	};

	it.each(Object.keys(endings))('R06: when it %s, all its requests are void', async (way) => {
		const two = await twoSessions();
		const requests = await requested(two);
		expect(await backing.rows('challenges')).toBe(3);
		expect(await endings[way]?.(backing.stores, two)).toBeTruthy();
		expect(await pendingOf(two.first)).toBeNull();
		for (const one of requests) expect(await entered(one)).toBeNull();
		expect(await backing.rows('challenges')).toBe(0);
		const change = present(requests[0]);
		expect(await port().complete(completing(two.second, change), at(4))).toBeNull();
		expect((await backing.stores.accounts.find(carol)) === null).toBe(true);
	});

	it('R06: when it expires, all its requests are void from that instant on', async () => {
		const two = await twoSessions();
		const { expiresAt } = two.first.session;
		const longer = { expiresAt: at(policy.session.lifetime + 3600) };
		const change = await requestMove(backing.stores, two.first, carol, longer);
		const last = new Date(expiresAt.getTime() - 1);
		expect(await pendingOf(two.first, last)).toEqual(change);
		expect(await pendingOf(two.first, expiresAt)).toBeNull();
		const late = await signIn(backing.stores, ada, { now: last });
		expect(await port().complete(completing(late, change), expiresAt)).toBeNull();
		expect(await port().complete(completing(late, change), last)).toMatchObject({
			user: { email: carol }
		});
	});

	it('another session of the account may confirm while the requesting one lives', async () => {
		const two = await twoSessions();
		const change = present((await requested(two))[0]);
		expect(await port().complete(completing(two.second, change), at(4))).toMatchObject({
			user: { email: carol },
			ended: [two.first.session.id]
		});
		expect(await backing.rows('challenges')).toBe(0);
	});

	it('the end of one session keeps the requests of another', async () => {
		const two = await twoSessions();
		const kept = aChange(two.second, carol, { purpose: 'email_change_link' });
		await port().request(kept, accountOf(two.second), at(0));
		await port().request(aChange(two.first, carol), accountOf(two.first), at(1));
		await backing.stores.sessions.end(two.tokenHash);
		expect(await pendingOf(two.second)).toEqual(kept);
	});

	it('a session that has ended, expired or belongs to another account cannot request anything', async () => {
		const { stores } = backing;
		const two = await twoSessions();
		const bobs = await signIn(stores, bob);
		const account = accountOf(two.first);
		await stores.sessions.end(two.tokenHash);
		for (const requestedBy of [two.first.session.id, bobs.session.id, newSessionId()]) {
			await port().request(aChange(two.first, carol, { requestedBy }), account, at(1));
		}
		const { session } = two.second;
		await port().request(aChange(two.second, carol), account, session.expiresAt);
		expect(await backing.rows('challenges')).toBe(0);
	});

	it('a change replaces one that another session of the account requested', async () => {
		const two = await twoSessions();
		await port().request(aChange(two.first, carol), accountOf(two.first), at(0));
		const later = aChange(two.second, anEmail('dora'), { createdAt: at(1) });
		await port().request(later, accountOf(two.second), at(1));
		expect(await backing.rows('challenges')).toBe(1);
		expect(await pendingOf(two.second)).toEqual(later);
	});

	it('each session has its own code to reauthenticate with', async () => {
		const two = await twoSessions();
		const codes = [aReauthentication(two.first), aReauthentication(two.second)];
		for (const [index, one] of codes.entries()) {
			const account = accountOf(index === 0 ? two.first : two.second);
			await port().request(one, account, at(0));
		}
		for (const one of codes) expect((await entered(one))?.id).toBe(one.id);
	});

	it('R06: a session that ends during a confirmation by another one ends before or after it, without an error', async () => {
		const outcome = await raceEndBesideMove(backing.instances, rounds(5, 400));
		expect(outcome).toEqual({ failed: 0, both: 0 });
	});
});
