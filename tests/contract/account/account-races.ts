import type { UserId } from '#lib/domain/ids.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { aDecision, FREE } from '../consent/consent-examples.ts';
import { aPurchase, askedFor, signIn } from './account-examples.ts';
import { aChallenge, anEmail, at, newUserId } from '../stores/examples.ts';
import { comparing, faults, instanceOf, type Instances } from '../stores/races.ts';

/*
 * Counts what happens to accounts, consents, purchases and tasks under concurrent operations. The
 * contract asserts the right numbers on every adapter; the naive twins give wrong ones.
 */

const settled = <T>(
	instances: Instances,
	count: number,
	race: (instance: Stores, index: number) => Promise<T>
): Promise<PromiseSettledResult<T>[]> =>
	Promise.allSettled(
		Array.from({ length: count }, (_, index) => race(instanceOf(instances, index), index))
	);

const values = <T>(outcomes: readonly PromiseSettledResult<T>[]): T[] =>
	outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));

/**
 * Yields some turns, so that rounds meet at different statements. Turns are short for a database
 * in the process, which answers immediately, and long for a remote one.
 */
const after = async <T>(turns: number, round: number, then: () => Promise<T>): Promise<T> => {
	for (let turn = 0; turn < turns; turn += 1) await (round % 2 === 0 ? comparing() : undefined);
	return then();
};

/** How many of these accounts get one purchase. */
export const raceClaims = async (
	instances: Instances,
	count: number
): Promise<{ claimed: number; failed: number }> => {
	const first = instanceOf(instances, 0);
	const purchase = aPurchase({ email: anEmail() });
	await first.purchases.record(purchase);
	const users: UserId[] = [];
	for (let made = 0; made < count; made += 1) {
		users.push((await signIn(first, anEmail())).user.id);
	}
	const outcomes = await settled(instances, count, ({ purchases }, index) =>
		purchases.claim(purchase.reference, { id: users[index] as UserId, email: purchase.email })
	);
	return { claimed: values(outcomes).filter(Boolean).length, failed: faults(outcomes) };
};

/** How many of these claims of one task and day succeed. */
export const raceTaskRuns = async (
	instances: Instances,
	count: number
): Promise<{ claimed: number; failed: number }> => {
	const task = `task of ${newUserId()}`;
	const outcomes = await settled(instances, count, ({ taskRuns }) =>
		taskRuns.claim(task, '2026-03-29')
	);
	return { claimed: values(outcomes).filter(Boolean).length, failed: faults(outcomes) };
};

/** Concurrent consents of one account without account data. */
export const raceConsents = async (
	instances: Instances,
	count: number,
	userId: UserId
): Promise<{ granted: number; failed: number; moved: number; recorded: number }> => {
	const { accounts, consents } = instanceOf(instances, 0);
	const noted = new Set<number | undefined>();
	const outcomes = await settled(instances, count, async (instance, index) => {
		const granted = await after(index, 1, () =>
			instance.consents.grantMarketing(aDecision(userId, index), FREE)
		);
		noted.add((await accounts.dataOf(userId))?.marketingOptInAt?.getTime());
		return granted;
	});
	return {
		granted: values(outcomes).filter(({ kind }) => kind === 'granted').length,
		failed: faults(outcomes),
		moved: noted.size - 1,
		recorded: (await consents.historyOf(userId, count)).length
	};
};

/**
 * Concurrent consents and withdrawals of one account. `astray` is how far the records are from the
 * state: each consent is one more than withdrawals before it, and each withdrawal needs one.
 */
export const raceDecisions = async (
	instances: Instances,
	count: number,
	userId: UserId
): Promise<{ failed: number; astray: number }> => {
	const { accounts, consents } = instanceOf(instances, 0);
	const outcomes = await settled<unknown>(instances, count, (instance, index) =>
		after<unknown>(index >> 1, 1, () =>
			index % 2 === 0
				? instance.consents.grantMarketing(aDecision(userId, index), FREE)
				: instance.consents.withdrawMarketing(aDecision(userId, index))
		)
	);
	const records = await consents.historyOf(userId, count);
	const granted = records.filter(({ action }) => action === 'granted').length;
	const standing = (await accounts.dataOf(userId))?.marketingOptIn === true ? 1 : 0;
	return {
		failed: faults(outcomes),
		astray: Math.abs(2 * granted - records.length - standing)
	};
};

/** How many of these confirmations with one challenge succeed. */
export const raceConfirmations = async (
	instances: Instances,
	count: number
): Promise<{ confirmed: number; failed: number }> => {
	const first = instanceOf(instances, 0);
	const { user } = await signIn(first, anEmail());
	const challenge = aChallenge({ purpose: 'email_verification', email: user.email });
	await first.challenges.issue(challenge, at(1));
	const outcomes = await settled(instances, count, ({ accounts }) =>
		accounts.confirmEmail(challenge.id)
	);
	return {
		confirmed: values(outcomes).filter((one) => one !== null).length,
		failed: faults(outcomes)
	};
};

/** How many of these deletions of one account report that they deleted it. */
export const raceDeletions = async (
	instances: Instances,
	count: number
): Promise<{ deleted: number; failed: number }> => {
	const { user } = await signIn(instanceOf(instances, 0), anEmail());
	const outcomes = await settled(instances, count, ({ accounts }) =>
		accounts.delete(user.id, at(2))
	);
	return {
		deleted: values(outcomes).filter((ended) => ended !== null).length,
		failed: faults(outcomes)
	};
};

/** An account is deleted while codes for it are entered. */
export const raceDeleteBesideSignIns = async (
	instances: Instances,
	rounds: number
): Promise<{ sessionsLeft: number; failed: number }> => {
	let [sessionsLeft, failed] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const email = anEmail();
		const { user } = await signIn(first, email);
		const enter = await Promise.all([1, 2, 3].map(() => askedFor(first, email)));
		const outcomes = await Promise.allSettled([
			after(round % 8, round, () => instanceOf(instances, 1).accounts.delete(user.id, at(2))),
			...enter.map((one, index) => after(5 * index, round, () => one(instanceOf(instances, index))))
		]);
		failed += faults(outcomes);
		sessionsLeft += (await first.sessions.listOf(user.id, at(3))).length;
	}
	return { sessionsLeft, failed };
};

/**
 * An account is deleted while codes are requested and entered; the deletion may not see those
 * codes.
 */
export const raceDeleteBesideWholeSignIns = async (
	instances: Instances,
	rounds: number
): Promise<{ sessionsLeft: number; failed: number }> => {
	let [sessionsLeft, failed] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const email = anEmail();
		const { user } = await signIn(first, email);
		const signsIn = async (stores: Stores): Promise<void> => {
			const enter = await askedFor(stores, email);
			await enter(stores);
		};
		const outcomes = await Promise.allSettled([
			after(round % 8, round, () => instanceOf(instances, 1).accounts.delete(user.id, at(2))),
			...[0, 1, 2].map((turns) => after(turns, round, () => signsIn(instanceOf(instances, turns))))
		]);
		failed += faults(outcomes);
		sessionsLeft += (await first.sessions.listOf(user.id, at(3))).length;
	}
	return { sessionsLeft, failed };
};

/** A deleted account is restored while it is due for the purge. */
export const racePurgeBesideRestore = async (
	instances: Instances,
	rounds: number
): Promise<{ bothWon: number; nobodyWon: number; lost: number; failed: number }> => {
	let [bothWon, nobodyWon, lost, failed] = [0, 0, 0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const email = anEmail();
		const { user } = await signIn(first, email);
		await first.accounts.delete(user.id, at(2));
		const restore = await askedFor(first, email, {
			creates: false,
			ifDeleted: { then: 'restore' }
		});
		const [purging, restoring] = await Promise.allSettled([
			after(round % 3, round, () => instanceOf(instances, 1).accounts.purge(at(2), 10)),
			after(round % 16, round, () => restore(first))
		]);
		failed += faults([purging, restoring]);
		const purged = purging.status === 'fulfilled' && purging.value.length === 1;
		const restored = restoring.status === 'fulfilled' && restoring.value?.kind === 'signed_in';
		if (purged && restored) bothWon += 1;
		if (!purged && !restored) nobodyWon += 1;
		const found = await first.accounts.find(email);
		if (restored && found?.deletedAt !== null) lost += 1;
		if (found?.deletedAt != null) await first.accounts.purge(at(2), 10);
	}
	return { bothWon, nobodyWon, lost, failed };
};

/** Several purges run concurrently. */
export const racePurges = async (
	instances: Instances,
	count: number,
	limit: number
): Promise<{ purged: number; failed: number }> => {
	const first = instanceOf(instances, 0);
	for (let made = 0; made < count; made += 1) {
		const { user } = await signIn(first, anEmail());
		await first.accounts.delete(user.id, at(2));
	}
	const outcomes = await settled(instances, Math.ceil(count / limit), ({ accounts }) =>
		accounts.purge(at(2), limit)
	);
	return {
		purged: values(outcomes).reduce((sum, { length }) => sum + length, 0),
		failed: faults(outcomes)
	};
};

/**
 * Records purchases while the account of their address is created. Returns how many stay without
 * an account.
 */
export const raceRecordBesideCreation = async (
	instances: Instances,
	rounds: number
): Promise<{ unlinked: number; failed: number }> => {
	let [unlinked, failed] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const email = anEmail();
		const enter = await askedFor(first, email);
		const bought = Array.from({ length: 4 }, () => aPurchase({ email }));
		const outcomes = await Promise.allSettled([
			after(round % 6, round, () => enter(first)),
			...bought.map((purchase, index) =>
				after(3 * index, round, () => instanceOf(instances, index).purchases.record(purchase))
			)
		]);
		failed += faults(outcomes);
		for (const { reference } of bought) {
			if ((await first.purchases.find(reference))?.userId === null) unlinked += 1;
		}
	}
	return { unlinked, failed };
};
