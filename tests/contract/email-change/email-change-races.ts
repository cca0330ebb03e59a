import type { AccountAt, EmailChange } from '#lib/domain/email-change/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { Redeemed, SessionChallenge } from '#lib/domain/sign-in/ports.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import type { Stores } from '#lib/domain/deps.ts';
import {
	aChallenge,
	anAttempt,
	aHash,
	anEmail,
	at,
	newUndoId,
	policy
} from '../stores/examples.ts';
import { after, atOnce, inRounds, instanceOf, racers, settle, soonAfter } from '../stores/races.ts';
import type { Instances } from '../stores/races.ts';

/*
 * Counts what happens to email changes under concurrent operations. The contract asserts the right
 * numbers on every adapter; the naive twins give wrong ones.
 */

/** A change by code that a session requests for its account. */
export const aChange = (
	{ user, session }: Pick<Redeemed, 'user' | 'session'>,
	to: Email,
	but: Partial<SessionChallenge> = {}
): SessionChallenge => ({
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
	challenge: SessionChallenge
): EmailChange => ({
	challengeId: challenge.id,
	userId: user.id,
	from: user.email,
	to: challenge.email,
	keep: session.id,
	mailsWithoutUndo: [],
	undo: { id: newUndoId(), expiresAt: at(7 * 86_400), mailsWithUndo: [] }
});

/** Stores a change that a session requests for its account. */
export const requestMove = async (
	{ emailChanges }: Stores,
	person: Pick<Redeemed, 'user' | 'session'>,
	to: Email,
	but: Partial<SessionChallenge> = {}
): Promise<SessionChallenge> => {
	const change = aChange(person, to, but);
	await emailChanges.request(change, accountOf(person), change.createdAt);
	return change;
};

/** An account moves by a change that its session requests. Returns the change that was completed. */
export const move = async (stores: Stores, person: Redeemed, to: Email, now = at(3)) => {
	const change = completing(person, await requestMove(stores, person, to));
	return { ...change, moved: await stores.emailChanges.complete(change, now) };
};

type Completed = Awaited<ReturnType<Stores['emailChanges']['complete']>>;

const tally = async (completing: readonly Promise<Completed>[]) => {
	const { values, failed } = await settle(completing);
	const [taken, nothing] = ['email_taken', null].map(
		(outcome) => values.filter((one) => one === outcome).length
	) as [number, number];
	return { moved: values.length - taken - nothing, taken, nothing, failed };
};

/** An account with a pending change. */
const changing = async (stores: Stores, to: Email = anEmail()): Promise<EmailChange> => {
	const person = await signIn(stores, anEmail());
	return completing(person, await requestMove(stores, person, to));
};

/** Concurrent completions of one change. */
export const raceCompletions = async (instances: Instances, count: number) => {
	const change = await changing(instanceOf(instances, 0));
	return tally(
		racers(instances, count, ({ emailChanges }) => emailChanges.complete(change, at(1)))
	);
};

const isAt = async ({ accounts }: Stores, email: Email, userId: UserId): Promise<boolean> =>
	(await accounts.find(email))?.id === userId;

/** Two accounts move to one address. `wrong` counts rounds in which not exactly one of them has it. */
export const raceForOneAddress = inRounds(async (first, round, instances) => {
	const to = anEmail();
	const changes = [await changing(first, to), await changing(first, to)];
	const counts = await tally(
		changes.map((change, index) =>
			after(index * (round % 3), () =>
				instanceOf(instances, index).emailChanges.complete(change, at(1))
			)
		)
	);
	const moved = await Promise.all(changes.map(({ userId }) => isAt(first, to, userId)));
	const stayed = await Promise.all(changes.map(({ from, userId }) => isAt(first, from, userId)));
	const isRight = moved[0] !== moved[1] && stayed[0] === moved[1] && stayed[1] === moved[0];
	return { ...counts, wrong: isRight ? 0 : 1 };
});

/** Two accounts that each want the address of the other. */
export const raceSwap = inRounds(async (first, _, instances) => {
	const [one, two] = [await signIn(first, anEmail()), await signIn(first, anEmail())];
	const changes = [
		completing(one, await requestMove(first, one, two.user.email)),
		completing(two, await requestMove(first, two, one.user.email))
	];
	const counts = await tally(
		changes.map((change, index) =>
			instanceOf(instances, index).emailChanges.complete(change, at(1))
		)
	);
	const stayed = changes.map(({ from, userId }) => isAt(first, from, userId));
	return { ...counts, stayed: (await Promise.all(stayed)).filter(Boolean).length };
});

/** A user signs up with an address while an account moves to it. */
export const raceSignUpBesideMove = inRounds(async (first, round, instances) => {
	const to = anEmail();
	const change = await changing(first, to);
	const enter = await askedFor(first, to);
	const [moving, entering] = await Promise.allSettled([
		after(round % 4, () => instanceOf(instances, 1).emailChanges.complete(change, at(1))),
		enter(first)
	]);
	if (moving.status === 'rejected' || entering.status === 'rejected') return { failed: 1, torn: 0 };
	const owner = (await first.accounts.find(to))?.id;
	const entered = entering.value?.kind === 'signed_in' ? entering.value : null;
	const moved = moving.value !== null && moving.value !== 'email_taken';
	const whole = moved
		? owner === change.userId && entered?.created === false
		: moving.value === 'email_taken' && entered?.created === true;
	return { failed: 0, torn: whole && entered?.user.id === owner ? 0 : 1 };
});

/**
 * An account requests two addresses concurrently. Counts which codes are valid afterwards, and for
 * which address.
 */
export const raceRequests = inRounds(async (first, round, instances) => {
	const redeemed = await signIn(first, anEmail());
	const earlier = aChange(redeemed, anEmail(), { createdAt: at(0) });
	const later = aChange(redeemed, anEmail(), { createdAt: at(0.001) });
	const order = round % 2 === 0 ? [earlier, later] : [later, earlier];
	const { failed } = await settle(
		order.map((challenge, index) =>
			instanceOf(instances, index).emailChanges.request(challenge, accountOf(redeemed), at(1))
		)
	);
	const attempts = [earlier, later].map(({ purpose, email, boundTo }) =>
		first.challenges.countAttempt(anAttempt({ purpose, email, boundTo }), at(1), policy)
	);
	const [old, fresh] = await Promise.all(attempts);
	const { complete } = first.emailChanges;
	const swapped = { ...completing(redeemed, later), to: earlier.email };
	const wrong = [
		await complete(swapped, at(2)),
		await complete(completing(redeemed, earlier), at(2))
	];
	const right = await complete(completing(redeemed, later), at(2));
	const moved = right !== null && right !== 'email_taken' ? right.user.email : null;
	return {
		failed,
		notOne: (old === null) === (fresh === null) ? 1 : 0,
		earlierStayed: old ? 1 : 0,
		astray: wrong.some((one) => one !== null) || moved !== later.email ? 1 : 0
	};
});

/** Counts the sessions at the old address after a sign-in there during the move. */
export const raceMoveBesideSignIn = inRounds(async (first, round, instances) => {
	const change = await changing(first);
	const enter = await askedFor(first, change.from);
	const { failed } = await settle<unknown>([
		after(round % 4, () => instanceOf(instances, 1).emailChanges.complete(change, at(1))),
		soonAfter(round % 12, () => enter(first))
	]);
	const sessions = await first.sessions.listOf(change.userId, at(2));
	return { failed, left: sessions.filter(({ id }) => id !== change.keep).length };
});

/**
 * The requesting session ends while another one confirms. If both succeed, the account moved by the
 * request of an ended session.
 */
export const raceEndBesideMove = inRounds(async (first, round, instances) => {
	const email = anEmail();
	const requesting = await signIn(first, email);
	const confirming = await signIn(first, email);
	const challenge = await requestMove(first, requesting, anEmail());
	const { user, session } = requesting;
	const { values, failed } = await settle<unknown>([
		after(round % 7, () => instanceOf(instances, 1).sessions.endOne(user.id, session.id)),
		after(round % 4, () => first.emailChanges.complete(completing(confirming, challenge), at(1)))
	]);
	return { failed, both: values.filter((one) => one !== null).length === 2 ? 1 : 0 };
});

/** All sessions of an account end while a code for it is entered. */
export const raceEndAllBesideSignIn = inRounds(async (first, round, instances) => {
	const { user } = await signIn(first, anEmail());
	const enter = await askedFor(first, user.email);
	const { failed } = await settle<unknown>([
		after(round % 4, () => instanceOf(instances, 1).sessions.endSessionsExcept(user.id, null)),
		soonAfter(round % 12, () => enter(first))
	]);
	return { failed, left: (await first.sessions.listOf(user.id, at(2))).length };
});

/** Looks up five sessions of one account repeatedly while all of them end. */
export const raceEndAllBesideFinds = async (instances: Instances, count: number) => {
	const first = instanceOf(instances, 0);
	const email = anEmail();
	const tokens = Array.from({ length: 5 }, () => aHash());
	const users = new Set<UserId>();
	for (const tokenHash of tokens) users.add((await signIn(first, email, { tokenHash })).user.id);
	const find = (instance: Stores, index: number) =>
		instance.sessions.find(tokens[index % 5] ?? aHash(), at(2));
	const finding = racers(instances, count, find);
	const [userId] = users;
	const ended = await first.sessions.endSessionsExcept(userId as UserId, null);
	const found = await atOnce(instances, tokens.length, find);
	const { failed } = await settle(finding);
	return {
		failed,
		ended: ended.length,
		foundAfter: found.filter((one) => one !== null).length
	};
};

/** Codes of one deleted account are entered concurrently, each for a restore grant. */
export const raceOffers = async (instances: Instances, count: number) => {
	const first = instanceOf(instances, 0);
	const { user } = await signIn(first, anEmail());
	await first.accounts.delete(user.id, at(2));
	const keys = Array.from({ length: count }, () => aHash());
	const codes = await Promise.all(
		keys.map((boundTo) => {
			const grant = aChallenge({ purpose: 'account_restore', email: user.email, boundTo });
			return askedFor(first, user.email, { ifDeleted: { then: 'offer', grant } });
		})
	);
	const { values, failed } = await settle(
		codes.map((enter, index) => enter(instanceOf(instances, index)))
	);
	const left = keys.map((key) => first.challenges.latestOf(key, 'account_restore'));
	return {
		failed,
		deleted: values.filter((one) => one?.kind === 'deleted').length,
		grants: (await Promise.all(left)).filter((grant) => grant !== null).length
	};
};
