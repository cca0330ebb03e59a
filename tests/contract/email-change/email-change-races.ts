import type { AccountAt, EmailChange } from '#lib/domain/email-change/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Redeemed, SessionRequest } from '#lib/domain/sign-in/ports.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import {
	aChallenge,
	aGuess,
	aHash,
	anEmail,
	aRedemption,
	at,
	newUndoId,
	policy,
	signedIn
} from '../stores/examples.ts';
import { comparing, faults, instanceOf, type Instances } from '../stores/races.ts';

/*
 * Counts what happens to email changes under concurrent operations. The contract asserts the right
 * numbers on every adapter; the naive twins give wrong ones.
 */

/** A change by code that a session requests for its account. */
export const aChange = (
	{ user, session }: Pick<Redeemed, 'user' | 'session'>,
	to: Email,
	but: Partial<SessionRequest> = {}
): SessionRequest => ({
	...aChallenge({ purpose: 'email_change', email: to, boundTo: user.id }),
	requestedBy: session.id,
	...but
});

/** The account that a change is for, with its address. */
export const accountOf = ({ user }: Pick<Redeemed, 'user'>): AccountAt => ({
	userId: user.id,
	from: user.email
});

/** Input that completes the change, in the session that requested it. */
export const completing = (
	{ user, session }: Redeemed,
	challenge: SessionRequest
): EmailChange => ({
	challengeId: challenge.id,
	userId: user.id,
	from: user.email,
	to: challenge.email,
	keep: session.id,
	emails: [],
	undo: { id: newUndoId(), expiresAt: at(7 * 86_400), emails: [] }
});

type Completed = Awaited<ReturnType<Instances[number]['emailChanges']['complete']>>;

const tally = (
	outcomes: readonly PromiseSettledResult<Completed>[]
): { moved: number; taken: number; nothing: number; failed: number } => {
	const counts = { moved: 0, taken: 0, nothing: 0, failed: 0 };
	for (const one of outcomes) {
		if (one.status === 'rejected') counts.failed += 1;
		else if (one.value === null) counts.nothing += 1;
		else if (one.value === 'email_taken') counts.taken += 1;
		else counts.moved += 1;
	}
	return counts;
};

/** An account with a pending change. */
const changing = async (instances: Instances, to: Email): Promise<EmailChange> => {
	const first = instanceOf(instances, 0);
	const redeemed = await signIn(first, anEmail());
	const challenge = aChange(redeemed, to);
	await first.emailChanges.request(challenge, accountOf(redeemed), at(0));
	return completing(redeemed, challenge);
};

/** Yields some turns, so that rounds meet at different statements. */
const after = async <T>(turns: number, then: () => Promise<T>): Promise<T> => {
	for (let turn = 0; turn < turns; turn += 1) await comparing();
	return then();
};

/** Yields less: between two statements of a database that answers immediately. */
const soonAfter = async <T>(turns: number, then: () => Promise<T>): Promise<T> => {
	for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
	return then();
};

/** Concurrent completions of one change. */
export const raceCompletions = async (
	instances: Instances,
	count: number
): Promise<ReturnType<typeof tally>> => {
	const change = await changing(instances, anEmail());
	return tally(
		await Promise.allSettled(
			Array.from({ length: count }, (_, index) =>
				instanceOf(instances, index).emailChanges.complete(change, at(1))
			)
		)
	);
};

/**
 * Two accounts move to one address. Returns the number of rounds in which not exactly one of them
 * has it.
 */
export const raceForOneAddress = async (
	instances: Instances,
	rounds: number
): Promise<ReturnType<typeof tally> & { wrong: number }> => {
	const total = { moved: 0, taken: 0, nothing: 0, failed: 0, wrong: 0 };
	const { accounts } = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const to = anEmail();
		const changes = [await changing(instances, to), await changing(instances, to)];
		const outcomes = await Promise.allSettled(
			changes.map((change, index) =>
				after(index * (round % 3), () =>
					instanceOf(instances, index).emailChanges.complete(change, at(1))
				)
			)
		);
		const counts = tally(outcomes);
		for (const key of ['moved', 'taken', 'nothing', 'failed'] as const) total[key] += counts[key];
		const owner = (await accounts.find(to))?.user.id;
		const others = changes.filter(({ userId }) => userId !== owner);
		const stayed = await Promise.all(
			others.map(async ({ from, userId }) => (await accounts.find(from))?.user.id === userId)
		);
		if (owner === undefined || stayed.length !== 1 || !stayed[0]) total.wrong += 1;
	}
	return total;
};

/** Two accounts that each want the address of the other. */
export const raceSwap = async (
	instances: Instances
): Promise<ReturnType<typeof tally> & { atHome: boolean }> => {
	const first = instanceOf(instances, 0);
	const [one, two] = [await signIn(first, anEmail()), await signIn(first, anEmail())];
	const changes: EmailChange[] = [];
	for (const [mine, theirs] of [
		[one, two],
		[two, one]
	] as const) {
		const challenge = aChange(mine, theirs.user.email);
		await first.emailChanges.request(challenge, accountOf(mine), at(0));
		changes.push(completing(mine, challenge));
	}
	const outcomes = await Promise.allSettled(
		changes.map((change, index) =>
			instanceOf(instances, index).emailChanges.complete(change, at(1))
		)
	);
	const owners = await Promise.all(
		[one, two].map(async ({ user }) => (await first.accounts.find(user.email))?.user.id === user.id)
	);
	return { ...tally(outcomes), atHome: owners.every(Boolean) };
};

/** A user signs up with an address while an account moves to it. */
export const raceSignUpBesideMove = async (
	instances: Instances,
	rounds: number
): Promise<{ failed: number; torn: number }> => {
	let [failed, torn] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const to = anEmail();
		const change = await changing(instances, to);
		const enter = await askedFor(first, to);
		const [moving, entering] = await Promise.allSettled([
			after(round % 4, () => instanceOf(instances, 1).emailChanges.complete(change, at(1))),
			enter(first)
		]);
		if (moving.status === 'rejected' || entering.status === 'rejected') {
			failed += 1;
			continue;
		}
		const owner = (await first.accounts.find(to))?.user.id;
		const entered = entering.value?.kind === 'signed_in' ? entering.value : null;
		const moved = moving.value !== null && moving.value !== 'email_taken';
		const whole = moved
			? owner === change.userId && entered?.created === false
			: moving.value === 'email_taken' && entered?.created === true;
		if (!whole || entered?.user.id !== owner) torn += 1;
	}
	return { failed, torn };
};

/**
 * An account requests two addresses concurrently. Returns which codes are valid afterwards, and
 * for which address.
 */
export const raceRequests = async (
	instances: Instances,
	rounds: number
): Promise<{ failed: number; notOne: number; earlierStayed: number; astray: number }> => {
	const counts = { failed: 0, notOne: 0, earlierStayed: 0, astray: 0 };
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const redeemed = await signIn(first, anEmail());
		const earlier = aChange(redeemed, anEmail(), { createdAt: at(0) });
		const later = aChange(redeemed, anEmail(), { createdAt: at(0.001) });
		const order = round % 2 === 0 ? [earlier, later] : [later, earlier];
		const outcomes = await Promise.allSettled(
			order.map((challenge, index) =>
				instanceOf(instances, index).emailChanges.request(challenge, accountOf(redeemed), at(1))
			)
		);
		counts.failed += faults(outcomes);

		const guesses = [earlier, later].map(({ purpose, email, boundTo }) =>
			first.challenges.countAttempt(aGuess({ purpose, email, boundTo }), at(1), policy)
		);
		const [old, fresh] = await Promise.all(guesses);
		if ((old === null) === (fresh === null)) counts.notOne += 1;
		if (old) counts.earlierStayed += 1;

		const { complete } = first.emailChanges;
		const swapped = { ...completing(redeemed, later), to: earlier.email };
		const wrong = [
			await complete(swapped, at(2)),
			await complete(completing(redeemed, earlier), at(2))
		];
		const right = await complete(completing(redeemed, later), at(2));
		const moved = right !== null && right !== 'email_taken' ? right.user.email : null;
		if (wrong.some((one) => one !== null) || moved !== later.email) counts.astray += 1;
	}
	return counts;
};

/** The number of sessions at the old address after a sign-in there during the move. */
export const raceMoveBesideSignIn = async (
	instances: Instances,
	rounds: number
): Promise<{ failed: number; left: number }> => {
	let [failed, left] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const change = await changing(instances, anEmail());
		const enter = await askedFor(first, change.from);
		const outcomes = await Promise.allSettled([
			after(round % 4, () => instanceOf(instances, 1).emailChanges.complete(change, at(1))),
			soonAfter(round % 12, () => enter(first))
		]);
		failed += faults(outcomes);
		const sessions = await first.sessions.listOf(change.userId, at(2));
		left += sessions.filter(({ id }) => id !== change.keep).length;
	}
	return { failed, left };
};

/**
 * The requesting session ends while another one confirms. Returns how often either failed, and how
 * often both succeeded: the account then moved by the request of an ended session.
 */
export const raceEndBesideMove = async (
	instances: Instances,
	rounds: number
): Promise<{ failed: number; both: number }> => {
	let [failed, both] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const email = anEmail();
		const requesting = await signIn(first, email);
		const confirming = await signIn(first, email);
		const challenge = aChange(requesting, anEmail());
		await first.emailChanges.request(challenge, accountOf(requesting), at(0));
		const { user, session } = requesting;
		const [ending, moving] = await Promise.allSettled([
			after(round % 7, () => instanceOf(instances, 1).sessions.endOne(user.id, session.id)),
			after(round % 4, () => first.emailChanges.complete(completing(confirming, challenge), at(1)))
		]);
		if (ending.status === 'rejected' || moving.status === 'rejected') failed += 1;
		else if (ending.value && moving.value !== null) both += 1;
	}
	return { failed, both };
};

/** All sessions of an account end while a code for it is entered. */
export const raceEndAllBesideSignIn = async (
	instances: Instances,
	rounds: number
): Promise<{ failed: number; left: number }> => {
	let [failed, left] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const { user } = await signIn(first, anEmail());
		const enter = await askedFor(first, user.email);
		const outcomes = await Promise.allSettled([
			after(round % 4, () => instanceOf(instances, 1).sessions.endAll(user.id, null)),
			soonAfter(round % 12, () => enter(first))
		]);
		failed += faults(outcomes);
		left += (await first.sessions.listOf(user.id, at(2))).length;
	}
	return { failed, left };
};

/** Looks up five sessions of one account repeatedly while all of them end. */
export const raceEndAllBesideFinds = async (
	instances: Instances,
	count: number
): Promise<{ failed: number; ended: number; foundAfter: number }> => {
	const { challenges, signIns, sessions } = instanceOf(instances, 0);
	const email = anEmail();
	const tokens = Array.from({ length: 5 }, () => aHash());
	let userId: UserId | undefined;
	for (const tokenHash of tokens) {
		const challenge = aChallenge({ email });
		await challenges.issue(challenge, at(0));
		userId = signedIn(await signIns.redeem(aRedemption(challenge, { tokenHash }))).user.id;
	}
	const find = (index: number) =>
		instanceOf(instances, index).sessions.find(tokens[index % 5] as SecretHash, at(2));
	const finding = Array.from({ length: count }, (_, index) => find(index));
	const ended = await sessions.endAll(userId as UserId, null);
	const after = await Promise.all(tokens.map((_, index) => find(index)));
	const outcomes = await Promise.allSettled(finding);
	return {
		failed: faults(outcomes),
		ended: ended.length,
		foundAfter: after.filter((one) => one !== null).length
	};
};

/** Codes of one deleted account are entered concurrently, each for a restore grant. */
export const raceOffers = async (
	instances: Instances,
	count: number
): Promise<{ failed: number; deleted: number; grants: number }> => {
	const first = instanceOf(instances, 0);
	const { user } = await signIn(first, anEmail());
	await first.accounts.delete(user.id, at(2));
	const grants = Array.from({ length: count }, (_, index) =>
		aChallenge({
			purpose: 'account_restore',
			email: user.email,
			boundTo: `grant-${index}-of-${user.id}` as never
		})
	);
	const offers = grants.map((grant) => ({ then: 'offer', grant }) as const);
	const codes = await Promise.all(
		offers.map((ifDeleted) => askedFor(first, user.email, { ifDeleted }))
	);
	const outcomes = await Promise.allSettled(
		codes.map((enter, index) => enter(instanceOf(instances, index)))
	);
	const left = await Promise.all(
		grants.map(({ boundTo }) => first.challenges.latestOf(boundTo as never, 'account_restore'))
	);
	const deleted = outcomes.filter(
		(one) => one.status === 'fulfilled' && one.value?.kind === 'deleted'
	);
	return {
		failed: faults(outcomes),
		deleted: deleted.length,
		grants: left.filter((grant) => grant !== null).length
	};
};
