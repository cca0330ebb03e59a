import type { EmailChange } from '#lib/domain/email-change/ports.ts';
import type { Hit } from '#lib/domain/limits/ports.ts';
import {
	challengeState,
	type Challenge,
	type FoundDeleted,
	type OpenRequest,
	type Redeemed
} from '#lib/domain/sign-in/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { aSend } from '../domain/builders.ts';
import { signIn } from '../../contract/account/account-examples.ts';
import { accountOf, aChange, completing } from '../../contract/email-change/email-change-races.ts';
import {
	aChallenge,
	aGuess,
	aHash,
	anEmail,
	aRedemption,
	at,
	policy
} from '../../contract/stores/examples.ts';
import {
	counted,
	dealt,
	duel,
	faultsOf,
	isThere,
	times,
	valuesOf,
	type Arena,
	type ProcessRace
} from './arena.ts';
import { budgetProcessRaces } from './budget-process-races.ts';
import type { Contest } from './racer-stores.ts';
import type { Move } from './racers.ts';

/* Counts what happens when several processes act concurrently. */

/** An account with a pending change. */
const changing = async (
	{ emailChanges, ...stores }: Contest,
	to = anEmail()
): Promise<EmailChange> => {
	const redeemed = await signIn({ emailChanges, ...stores }, anEmail());
	const challenge = aChange(redeemed, to);
	await emailChanges.request(challenge, accountOf(redeemed), at(0));
	return completing(redeemed, challenge);
};

const guesses: ProcessRace = {
	title: 'A01: of 200 guesses at one code exactly five are compared',
	naively: 'reading the count and writing it back compares more',
	naive: ['challenges'],
	narrow: false,
	run: async (arena, round) => {
		const { email } = await issued(arena);
		const guess = aGuess({ email });
		const moves = times(200, (): Move => ['challenges', 'countAttempt', guess, at(1), policy]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		const isOpen = (one: Challenge | null) =>
			one !== null && challengeState(one, at(1), policy) === 'open';
		return { compared: counted(valuesOf(outcomes), isOpen), faults: faultsOf(outcomes) };
	},
	always: { compared: 5, faults: 0 }
};

const issued = async ({ stores }: Arena, but: Partial<OpenRequest> = {}): Promise<Challenge> => {
	const challenge = aChallenge({ email: anEmail(), ...but });
	await stores.challenges.issue(challenge, at(0));
	return challenge;
};

const redemptions: ProcessRace = {
	title: 'A03: the right code of an account, 50 times, is spent once and opens one session',
	naively: 'looking it up before using it spends it more than once',
	naive: ['signIns'],
	narrow: false,
	run: async (arena, round) => {
		const { user } = await signIn(arena.stores, anEmail());
		const challenge = await issued(arena, { email: user.email });
		const moves = times(50, (): Move => ['signIns', 'redeem', aRedemption(challenge)]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		return {
			spent: counted(valuesOf(outcomes), isThere),
			sessions: (await arena.stores.sessions.listOf(user.id, at(2))).length,
			faults: faultsOf(outcomes)
		};
	},
	always: { spent: 1, sessions: 2, faults: 0 }
};

const firstSignIns: ProcessRace = {
	title: 'A04: 10 right codes for a new address sign in to one account, which one of them created',
	naively: 'looking up the account before creating it fails some of them',
	naive: ['signIns'],
	narrow: true,
	run: async (arena, round) => {
		const email = anEmail();
		const codes: Challenge[] = [];
		for (const boundTo of times(10, () => aHash())) {
			codes.push(await issued(arena, { email, boundTo }));
		}
		const moves = codes.map((code): Move => ['signIns', 'redeem', aRedemption(code)]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		const signedIn = valuesOf(outcomes).filter(isThere) as (Redeemed | FoundDeleted)[];
		const redeemed = signedIn.filter((one) => one.kind === 'signed_in');
		return {
			signedIn: redeemed.length,
			created: redeemed.filter(({ created }) => created).length,
			accounts: new Set(redeemed.map(({ user }) => user.id)).size,
			faults: faultsOf(outcomes)
		};
	},
	always: { signedIn: 10, created: 1, accounts: 1, faults: 0 }
};

const entering = (of: Challenge, right: boolean): Move => [
	'guesses',
	'enter',
	of,
	aRedemption(of),
	right,
	at(1)
];

const wrongBesideRight: ProcessRace = {
	title: 'A05: the right code succeeds despite a concurrent wrong guess',
	naively: 'removing the code to compare it loses the right one',
	naive: ['guesses'],
	narrow: true,
	run: async (arena, round) => {
		const code = await issued(arena);
		const moves = [entering(code, false), entering(code, true)];
		const outcomes = await arena.go(duel(arena, round, moves), round);
		return { won: valuesOf(outcomes).includes(true), faults: faultsOf(outcomes) };
	},
	always: { won: true, faults: 0 }
};

const issueBesideGuess: ProcessRace = {
	title:
		'A07: a code issued during a wrong guess works, and the one it supersedes never works again',
	naively: 'putting the code back after a wrong guess revives the superseded one',
	naive: ['guesses'],
	narrow: true,
	run: async (arena, round) => {
		const earlier = await issued(arena);
		const newest = aChallenge({ email: earlier.email });
		const moves: Move[] = [entering(earlier, false), ['challenges', 'issue', newest, at(0)]];
		const outcomes = await arena.go(duel(arena, round, moves), round);
		const enter = (of: Challenge) => arena.stores.guesses.enter(of, aRedemption(of), true, at(1));
		return {
			earlier: await enter(earlier),
			newest: await enter(newest),
			faults: faultsOf(outcomes)
		};
	},
	always: { earlier: false, newest: true, faults: 0 }
};

const sends: ProcessRace = {
	title: 'B01, B13: of 100 sends to one address five are allowed in total, however many processes',
	naively: 'counting before writing allows more',
	naive: ['throttle'],
	narrow: false,
	run: async (arena, round) => {
		const email = anEmail();
		const moves = times(100, (): Move => ['throttle', 'hit', aSend(email, at(0)), policy]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		const allowed = counted(valuesOf(outcomes), ({ kind }: Hit) => kind === 'allowed');
		return { allowed, faults: faultsOf(outcomes) };
	},
	always: { allowed: 5, faults: 0 }
};

const refreshes: ProcessRace = {
	title: 'E10: of 100 concurrent refreshes of a session that is due exactly one succeeds',
	naively: 'reading whether it is due refreshes more than once',
	naive: ['sessions'],
	narrow: false,
	run: async (arena, round) => {
		const { session } = await signIn(arena.stores, anEmail());
		const { refreshAfter, lifetime } = policy.session;
		const now = secondsAfter(session.updatedAt, refreshAfter);
		const until = secondsAfter(now, lifetime);
		const due = secondsAfter(now, -refreshAfter);
		const moves = times(100, (): Move => ['sessions', 'refresh', session.id, now, due, until]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		return { refreshed: counted(valuesOf(outcomes), isThere), faults: faultsOf(outcomes) };
	},
	always: { refreshed: 1, faults: 0 }
};

const endAllBesideSignIn: ProcessRace = {
	title: 'E12: signing out everywhere while a code is entered leaves no session',
	naively: 'reading which sessions to end misses the one that is being opened',
	naive: ['sessions'],
	narrow: true,
	run: async (arena, round) => {
		const { user } = await signIn(arena.stores, anEmail());
		const code = await issued(arena, { email: user.email });
		const moves: Move[] = [
			['sessions', 'endAll', user.id, null],
			['signIns', 'redeem', aRedemption(code)]
		];
		const outcomes = await arena.go(duel(arena, round, moves), round);
		const left = (await arena.stores.sessions.listOf(user.id, at(2))).length;
		return { left, faults: faultsOf(outcomes) };
	},
	always: { left: 0, faults: 0 }
};

const completions: ProcessRace = {
	title: 'K05: of 50 concurrent completions of one email change exactly one succeeds',
	naively: 'looking up the change before completing it completes it more than once',
	naive: ['emailChanges'],
	narrow: false,
	run: async (arena, round) => {
		const change = await changing(arena.stores);
		const moves = times(50, (): Move => ['emailChanges', 'complete', change, at(1)]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		return { moved: counted(valuesOf(outcomes), isThere), faults: faultsOf(outcomes) };
	},
	always: { moved: 1, faults: 0 }
};

const requests: ProcessRace = {
	title: 'K06: of two concurrent requests the later one stays, and only it can move the account',
	naively: 'looking up which to replace leaves both',
	naive: ['emailChanges'],
	narrow: true,
	run: async (arena, round) => {
		const { challenges, emailChanges } = arena.stores;
		const redeemed = await signIn(arena.stores, anEmail());
		const earlier = aChange(redeemed, anEmail(), { createdAt: at(0) });
		const later = aChange(redeemed, anEmail(), { createdAt: at(0.001) });
		const moves = [earlier, later].map((one): Move => [
			'emailChanges',
			'request',
			one,
			accountOf(redeemed),
			at(1)
		]);
		const outcomes = await arena.go(duel(arena, round, moves), round);
		const left: boolean[] = [];
		for (const one of [earlier, later]) {
			left.push(isThere(await challenges.countAttempt(one, at(1), policy)));
		}
		const changed = [
			await emailChanges.complete(completing(redeemed, earlier), at(2)),
			await emailChanges.complete(completing(redeemed, later), at(2))
		];
		return { left, moved: changed.map(isThere), faults: faultsOf(outcomes) };
	},
	always: { left: [false, true], moved: [false, true], faults: 0 }
};

const oneAddress: ProcessRace = {
	title:
		'K07: of two accounts that concurrently move to one address exactly one gets it, and the other gets the error that it is taken',
	naively: 'checking whether it is free fails when the other account gets it',
	naive: ['emailChanges'],
	narrow: true,
	run: async (arena, round) => {
		const { accounts } = arena.stores;
		const to = anEmail();
		const changes = [await changing(arena.stores, to), await changing(arena.stores, to)];
		const moves = changes.map((change): Move => ['emailChanges', 'complete', change, at(1)]);
		const outcomes = await arena.go(duel(arena, round, moves), round);
		const owner = (await accounts.find(to))?.user.id;
		const others = changes.filter(({ userId }) => userId !== owner);
		const stayed = await Promise.all(
			others.map(async ({ from, userId }) => (await accounts.find(from))?.user.id === userId)
		);
		const values = valuesOf(outcomes);
		return {
			moved: counted(values, (value: unknown) => isThere(value) && value !== 'email_taken'),
			taken: counted(values, (value: unknown) => value === 'email_taken'),
			stayed,
			faults: faultsOf(outcomes)
		};
	},
	always: { moved: 1, taken: 1, stayed: [true], faults: 0 }
};

const signUpBesideMove: ProcessRace = {
	title:
		'K07: a sign-up concurrent with a move to the same address leaves one owner, which both results report',
	naively: 'checking whether it is free fails',
	naive: ['emailChanges', 'signIns'],
	narrow: true,
	run: async (arena, round) => {
		const to = anEmail();
		const change = await changing(arena.stores, to);
		const code = await issued(arena, { email: to });
		const moves: Move[] = [
			['emailChanges', 'complete', change, at(1)],
			['signIns', 'redeem', aRedemption(code)]
		];
		const outcomes = await arena.go(duel(arena, round, moves), round);
		const owner = (await arena.stores.accounts.find(to))?.user.id;
		const moved = owner === change.userId;
		const values = valuesOf(outcomes);
		const entered = values.find(
			(value) => (value as Partial<Redeemed> | null)?.kind === 'signed_in'
		) as Redeemed | undefined;
		// Any right code signs in to the account that has the address at that moment.
		const whole =
			entered?.user.id === owner &&
			entered?.created === !moved &&
			values.includes('email_taken') === !moved;
		return { whole, faults: faultsOf(outcomes) };
	},
	always: { whole: true, faults: 0 }
};

export const processRaces: readonly ProcessRace[] = [
	guesses,
	redemptions,
	firstSignIns,
	wrongBesideRight,
	issueBesideGuess,
	sends,
	refreshes,
	endAllBesideSignIn,
	completions,
	requests,
	oneAddress,
	signUpBesideMove,
	...budgetProcessRaces
];
