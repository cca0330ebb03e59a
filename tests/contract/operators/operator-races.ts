import type { UserId } from '#lib/domain/ids.ts';
import type { Action } from '#lib/domain/operators/ports.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { accountOf, aChange, completing } from '../email-change/email-change-races.ts';
import { anEmail, at } from '../stores/examples.ts';
import { faults, instanceOf } from '../stores/races.ts';

export const anAction = (userId: UserId, but: Partial<Action> = {}): Action => ({
	userId,
	now: at(5),
	mayBeOperator: false,
	...but
});

/** An account is blocked while codes of it are requested and entered. */
export const raceBlockBesideSignIns = async (
	instances: readonly Stores[],
	rounds: number
): Promise<{ sessionsLeft: number; failed: number }> => {
	let [sessionsLeft, failed] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const email = anEmail();
		const { user } = await signIn(first, email);
		const early = await Promise.all([1, 2, 3].map(() => askedFor(first, email)));
		const late = async (stores: Stores): Promise<unknown> =>
			(await askedFor(stores, email))(stores);
		const outcomes = await Promise.allSettled<unknown>([
			instanceOf(instances, 1).operators.block(anAction(user.id)),
			...early.map((enter, index) => enter(instanceOf(instances, index))),
			...[0, 1].map((index) => late(instanceOf(instances, index)))
		]);
		failed += faults(outcomes);
		sessionsLeft += (await first.sessions.listOf(user.id, at(6))).length;
	}
	return { sessionsLeft, failed };
};

/** An account gets the role by its address while it leaves that address. */
export const raceRoleBesideMove = async (
	instances: readonly Stores[],
	rounds: number
): Promise<{ astray: number; failed: number }> => {
	let [astray, failed] = [0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const person = await signIn(first, anEmail());
		const { id, email } = person.user;
		const change = aChange(person, anEmail());
		await first.emailChanges.request(change, accountOf(person), at(2));
		const outcomes = await Promise.allSettled([
			instanceOf(instances, 1).operators.setRole(email, 'operator', at(3)),
			first.emailChanges.complete(completing(person, change), at(3))
		]);
		failed += faults(outcomes);
		if (await first.operators.isOperator(id)) astray += 1;
	}
	return { astray, failed };
};

/** Two operators act at once on accounts, some of which get the role at the same moment. */
export const raceActions = async (
	instances: readonly Stores[],
	rounds: number
): Promise<{ blockedOperators: number; doubled: number; failed: number }> => {
	let [blockedOperators, doubled, failed] = [0, 0, 0];
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const { user } = await signIn(first, anEmail());
		const outcomes = await Promise.allSettled<unknown>([
			...[0, 1].map((index) => instanceOf(instances, index).operators.block(anAction(user.id))),
			...(round % 2 === 0 ? [first.operators.setRole(user.email, 'operator', at(3))] : [])
		]);
		failed += faults(outcomes);
		const kinds = (await first.events.pageOf(user.id, null, 100)).map(({ kind }) => kind);
		const [blocks, last] = [kinds.filter((kind) => kind === 'blocked').length, kinds[0]];
		if (blocks > 1) doubled += 1;
		// A block that came after the role.
		if (kinds.includes('role_granted') && last === 'blocked') blockedOperators += 1;
	}
	return { blockedOperators, doubled, failed };
};
