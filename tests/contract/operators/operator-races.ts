import type { UserId } from '#lib/domain/ids.ts';
import type { OperatorAction, ActionResult, OperatorVerb } from '#lib/domain/operators/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { completing, requestMove } from '../email-change/email-change-races.ts';
import { anEmail, at } from '../stores/examples.ts';
import { inRounds, instanceOf, settle } from '../stores/races.ts';

/** An operator acts on an account, at a second. */
export const act = (
	{ operators }: Pick<Stores, 'operators'>,
	verb: OperatorVerb,
	userId: UserId,
	but: Partial<OperatorAction> = {},
	second = 5
): Promise<ActionResult> =>
	operators.act({ verb, userId, allowsOperators: false, ...but }, at(second));

/** An account is blocked while codes of it are requested and entered. */
export const raceBlockBesideSignIns = inRounds(async (first, _, instances) => {
	const { user } = await signIn(first, anEmail());
	const code = (index: number) => askedFor(instanceOf(instances, index), user.email);
	const early = await Promise.all([0, 1, 2].map(code));
	const { failed } = await settle<unknown>([
		act(instanceOf(instances, 1), 'block', user.id),
		...early.map((enter, index) => enter(instanceOf(instances, index))),
		...[0, 1].map(async (index) => (await code(index))(instanceOf(instances, index)))
	]);
	return { sessionsLeft: (await first.sessions.listOf(user.id, at(6))).length, failed };
});

/** An account gets the role by its address while it leaves that address. */
export const raceRoleBesideMove = inRounds(async (first, _, instances) => {
	const person = await signIn(first, anEmail());
	const { id, email } = person.user;
	const change = await requestMove(first, person, anEmail());
	const { failed } = await settle<unknown>([
		act(instanceOf(instances, 1), 'grant', id, { email }, 3),
		first.emailChanges.complete(completing(person, change), at(3))
	]);
	return { astray: Number(await first.operators.isOperator(id)), failed };
});

/** Two operators act at once on accounts, some of which get the role at the same moment. */
export const raceActions = inRounds(async (first, round, instances) => {
	const { user } = await signIn(first, anEmail());
	const { failed } = await settle<unknown>([
		...[0, 1].map((index) => act(instanceOf(instances, index), 'block', user.id)),
		...(round % 2 === 0 ? [act(first, 'grant', user.id, {}, 3)] : [])
	]);
	const kinds = (await first.events.pageOf(user.id, null, 100)).map(({ kind }) => kind);
	return {
		doubled: kinds.filter((kind) => kind === 'blocked').length > 1 ? 1 : 0,
		// A block that came after the role.
		blockedOperators: kinds.includes('role_granted') && kinds[0] === 'blocked' ? 1 : 0,
		failed
	};
});
