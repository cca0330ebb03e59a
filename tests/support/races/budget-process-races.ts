import type { Network } from '#lib/domain/client.ts';
import type { Hit } from '#lib/domain/limits/ports.ts';
import { limitedTo } from '../../contract/limits/budget-races.ts';
import { anEmail, at } from '../../contract/stores/examples.ts';
import { aNetwork, aProof, aSend } from '../domain/builders.ts';
import { counted, dealt, faultsOf, times, valuesOf, type ProcessRace } from './arena.ts';
import type { Move } from './racers.ts';

/* Counts what several processes allow of one budget, and how often they accept one proof. */

let hours = 0;
/** The start of an hour in which nothing was counted. The database keeps those of other rounds. */
const newHour = (): number => (hours += 1) * 3600;

let networks = 0;
/** Another network each time, so that no send waits for the count of its network. */
const elsewhere = (): Network => aNetwork(`network ${(networks += 1)}`);

const isAllowed = ({ kind }: Hit): boolean => kind === 'allowed';

const LIMIT = 30;
/** 80 % of it. */
const SHARE = 24;

const budget: ProcessRace = {
	title:
		'of 100 sends exactly as many as the limit are allowed in total, and unknown clients get at most 80 %',
	naively: 'counting the emails of the hour before writing allows more',
	naive: ['throttle'],
	narrow: false,
	run: async (arena, round) => {
		const now = at(newHour());
		const limited = limitedTo(LIMIT);
		const send = (index: number): Move => {
			const send = { isKnown: index % 2 === 1, network: elsewhere() };
			return ['throttle', 'hit', aSend(anEmail(), now, send), limited];
		};
		const { count } = arena.racers;
		const each = Math.ceil(50 / count) * 2;
		const outcomes = await arena.go(
			times(count, () => times(each, send)),
			round
		);
		const unknown = outcomes.filter((_, index) => index % 2 === 0);
		return {
			allowed: counted(valuesOf(outcomes), isAllowed),
			isShareKept: counted(valuesOf(unknown), isAllowed) <= SHARE,
			faults: faultsOf(outcomes)
		};
	},
	always: { allowed: LIMIT, isShareKept: true, faults: 0 }
};

const share: ProcessRace = {
	title: 'of 60 sends of unknown clients exactly 80 % of the limit are allowed in total',
	naively: 'counting the emails of the hour before writing allows more',
	naive: ['throttle'],
	narrow: false,
	run: async (arena, round) => {
		const now = at(newHour());
		const limited = limitedTo(LIMIT);
		const moves = times(60, (): Move => {
			const send = aSend(anEmail(), now, { network: elsewhere() });
			return ['throttle', 'hit', send, limited];
		});
		const outcomes = await arena.go(dealt(arena, moves), round);
		return { allowed: counted(valuesOf(outcomes), isAllowed), faults: faultsOf(outcomes) };
	},
	always: { allowed: SHARE, faults: 0 }
};

const proof: ProcessRace = {
	title: 'R14: one proof that is used 20 times in all processes is accepted once',
	naively: 'looking up the proof before recording its use allows more',
	naive: ['spentProofs'],
	narrow: false,
	run: async (arena, round) => {
		const same = aProof();
		const moves = times(20, (): Move => ['spentProofs', 'spend', same]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		return { allowed: counted(valuesOf(outcomes), Boolean), faults: faultsOf(outcomes) };
	},
	always: { allowed: 1, faults: 0 }
};

export const budgetProcessRaces: readonly ProcessRace[] = [budget, share, proof];
