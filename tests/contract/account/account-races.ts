import type { UserId } from '#lib/domain/ids.ts';
import { aDecision, FREE } from '../consent/consent-examples.ts';
import { aPurchase, askedFor, signIn } from './account-examples.ts';
import { aChallenge, anEmail, at, newUserId } from '../stores/examples.ts';
import { after, inRounds, instanceOf, racers, settle, soonAfter } from '../stores/races.ts';
import type { Instances } from '../stores/races.ts';

/*
 * Counts what happens to accounts, consents, purchases and tasks under concurrent operations. The
 * contract asserts the right numbers on every adapter; the naive twins give wrong ones.
 */

/** Turns are short for a database in the process, which answers immediately, and long for a remote one. */
const inTurn = (round: number) => (round % 2 === 0 ? after : soonAfter);

/** How many of these accounts get one purchase. */
export const raceClaims = async (instances: Instances, count: number) => {
	const first = instanceOf(instances, 0);
	const purchase = aPurchase({ email: anEmail() });
	await first.purchases.record(purchase);
	const users: UserId[] = [];
	for (let made = 0; made < count; made += 1) {
		users.push((await signIn(first, anEmail())).user.id);
	}
	const claims = racers(instances, count, ({ purchases }, index) =>
		purchases.claim(purchase.reference, { id: users[index] as UserId, email: purchase.email })
	);
	const { values, failed } = await settle(claims);
	return { claimed: values.filter(Boolean).length, failed };
};

/** How many of these claims of one task and day succeed. */
export const raceTaskRuns = async (instances: Instances, count: number) => {
	const task = `task of ${newUserId()}`;
	const claims = racers(instances, count, ({ taskRuns }) => taskRuns.claim(task, '2026-03-29'));
	const { values, failed } = await settle(claims);
	return { claimed: values.filter(Boolean).length, failed };
};

/** Concurrent consents of one account without account data. */
export const raceConsents = async (instances: Instances, count: number, userId: UserId) => {
	const { consents } = instanceOf(instances, 0);
	const noted = new Set<number | undefined>();
	const granting = racers(instances, count, async (instance, index) => {
		const granted = await soonAfter(index, () =>
			instance.consents.grantMarketing(aDecision(userId, index), FREE)
		);
		noted.add((await consents.of(userId))?.marketingOptInAt?.getTime());
		return granted;
	});
	const { values, failed } = await settle(granting);
	return {
		granted: values.filter(({ kind }) => kind === 'granted').length,
		failed,
		moved: noted.size - 1,
		recorded: (await consents.historyOf(userId, count)).length
	};
};

/**
 * Concurrent consents and withdrawals of one account. `astray` is how far the records are from the
 * state: each consent is one more than withdrawals before it, and each withdrawal needs one.
 */
export const raceDecisions = async (instances: Instances, count: number, userId: UserId) => {
	const { consents } = instanceOf(instances, 0);
	const deciding = racers<unknown>(instances, count, (instance, index) =>
		soonAfter<unknown>(index >> 1, () =>
			index % 2 === 0
				? instance.consents.grantMarketing(aDecision(userId, index), FREE)
				: instance.consents.withdrawMarketing(aDecision(userId, index))
		)
	);
	const { failed } = await settle(deciding);
	const records = await consents.historyOf(userId, count);
	const granted = records.filter(({ action }) => action === 'granted').length;
	const standing = (await consents.of(userId))?.marketingOptIn === true ? 1 : 0;
	return { failed, astray: Math.abs(2 * granted - records.length - standing) };
};

/** How many of these confirmations with one challenge succeed. */
export const raceConfirmations = async (instances: Instances, count: number) => {
	const first = instanceOf(instances, 0);
	const { user } = await signIn(first, anEmail());
	const challenge = aChallenge({ purpose: 'email_verification', email: user.email });
	await first.challenges.issue(challenge, at(1));
	const confirming = racers(instances, count, ({ accounts }) =>
		accounts.consumeChallenge(challenge.id)
	);
	const { values, failed } = await settle(confirming);
	return { confirmed: values.filter((one) => one !== null).length, failed };
};

/** How many of these deletions of one account report that they deleted it. */
export const raceDeletions = async (instances: Instances, count: number) => {
	const { user } = await signIn(instanceOf(instances, 0), anEmail());
	const deleting = racers(instances, count, ({ accounts }) => accounts.delete(user.id, at(2)));
	const { values, failed } = await settle(deleting);
	return { deleted: values.filter((ended) => ended !== null).length, failed };
};

/**
 * An account is deleted while codes for it are entered. With `requests`, the codes are also requested
 * meanwhile, and the deletion may not see them.
 */
export const raceDeleteBesideSignIns = (requests = false) =>
	inRounds(async (first, round, instances) => {
		const { user } = await signIn(first, anEmail());
		const code = (index: number) => askedFor(instanceOf(instances, index), user.email);
		const early = requests ? [] : await Promise.all([0, 1, 2].map(code));
		const enter = async (index: number) =>
			(early[index] ?? (await code(index)))(instanceOf(instances, index));
		const turns = requests ? 1 : 5;
		const { failed } = await settle<unknown>([
			inTurn(round)(round % 8, () => instanceOf(instances, 1).accounts.delete(user.id, at(2))),
			...[0, 1, 2].map((index) => inTurn(round)(turns * index, () => enter(index)))
		]);
		return { sessionsLeft: (await first.sessions.listOf(user.id, at(3))).length, failed };
	});

/** A deleted account is restored while it is due for the purge. */
export const racePurgeBesideRestore = inRounds(async (first, round, instances) => {
	const { user } = await signIn(first, anEmail());
	await first.accounts.delete(user.id, at(2));
	const ifDeleted = { then: 'restore' } as const;
	const restore = await askedFor(first, user.email, { creates: false, ifDeleted });
	const [purging, restoring] = await Promise.allSettled([
		inTurn(round)(round % 3, () => instanceOf(instances, 1).accounts.purge(at(2), 10)),
		inTurn(round)(round % 16, () => restore(first))
	]);
	const purged = purging.status === 'fulfilled' && purging.value.length === 1;
	const restored = restoring.status === 'fulfilled' && restoring.value?.kind === 'signed_in';
	const found = await first.accounts.find(user.email);
	if (found?.deletedAt != null) await first.accounts.purge(at(2), 10);
	return {
		bothWon: Number(purged && restored),
		nobodyWon: Number(!purged && !restored),
		lost: Number(restored && found?.deletedAt !== null),
		failed: [purging, restoring].filter(({ status }) => status === 'rejected').length
	};
});

/** Several purges run concurrently. */
export const racePurges = async (instances: Instances, count: number, limit: number) => {
	const first = instanceOf(instances, 0);
	for (let made = 0; made < count; made += 1) {
		const { user } = await signIn(first, anEmail());
		await first.accounts.delete(user.id, at(2));
	}
	const purging = racers(instances, Math.ceil(count / limit), ({ accounts }) =>
		accounts.purge(at(2), limit)
	);
	const { values, failed } = await settle(purging);
	return { purged: values.flat().length, failed };
};

/**
 * Records purchases while the account of their address is created. Counts those that stay without an
 * account.
 */
export const raceRecordBesideCreation = inRounds(async (first, round, instances) => {
	const email = anEmail();
	const enter = await askedFor(first, email);
	const bought = Array.from({ length: 4 }, () => aPurchase({ email }));
	const { failed } = await settle<unknown>([
		inTurn(round)(round % 6, () => enter(first)),
		...bought.map((purchase, index) =>
			inTurn(round)(3 * index, () => instanceOf(instances, index).purchases.record(purchase))
		)
	]);
	const found = bought.map(({ reference }) => first.purchases.find(reference));
	const unlinked = (await Promise.all(found)).filter((one) => one?.userId === null);
	return { unlinked: unlinked.length, failed };
});
