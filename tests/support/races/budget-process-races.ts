import type { SendProof } from '#lib/domain/limits/send-proof.ts';
import type { Network } from '#lib/domain/limits/sender.ts';
import type { Hit } from '#lib/domain/limits/throttle.ts';
import { limitedTo } from '../../contract/limits/budget-races.ts';
import { anEmail, at, newUserId, policy } from '../../contract/stores/examples.ts';
import { aNetwork, aProof, aSend } from '../domain/builders.ts';
import {
	counted,
	dealt,
	faultsOf,
	times,
	valuesOf,
	type Arena,
	type ProcessRace
} from './arena.ts';
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
		'S20: of 100 sends exactly as many as the limit are allowed in total, and unknown clients get at most 80 %',
	naively: 'counting the emails of the hour before writing allows more',
	naive: ['throttle'],
	narrow: false,
	run: async (arena, round) => {
		const now = at(newHour());
		const limited = limitedTo(LIMIT);
		const send = (index: number): Move => {
			const knownAs = index % 2 === 0 ? null : newUserId();
			return ['throttle', 'hit', aSend(anEmail(), now, { knownAs, network: elsewhere() }), limited];
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
	title: 'S20: of 60 sends of unknown clients exactly 80 % of the limit are allowed in total',
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

const strict = { ...policy, throttle: { ...policy.throttle, networkFree: 0 } };

/** How many of 20 sends to different mailboxes are allowed, with these proofs. All need one. */
const withProofs = async (
	arena: Arena,
	round: number,
	proofOf: (issuedAt: Date) => SendProof
): Promise<object> => {
	const hour = newHour();
	const network = aNetwork(`of hour ${hour}`);
	const moves = times(20, (): Move => {
		const send = aSend(anEmail(), at(hour + 30), { network, proof: proofOf(at(hour)) });
		return ['throttle', 'hit', send, strict];
	});
	const outcomes = await arena.go(dealt(arena, moves), round);
	return { allowed: counted(valuesOf(outcomes), isAllowed), faults: faultsOf(outcomes) };
};

const aTicket = (issuedAt: Date, of: Partial<SendProof> = {}): SendProof =>
	aProof({ kind: 'ticket', level: 0, issuedAt, ...of });

const proof: ProcessRace = {
	title: 'S22: one proof with 20 sends in all processes allows one of them',
	naively: 'looking up the proof before recording its use allows more',
	naive: ['throttle'],
	narrow: false,
	run: (arena, round) => {
		const same = aProof();
		return withProofs(arena, round, () => same);
	},
	always: { allowed: 1, faults: 0 }
};

const ticket: ProcessRace = {
	title: 'S22: one ticket with 20 sends in all processes allows one of them',
	naively: 'looking up the ticket before recording its use allows more',
	naive: ['throttle'],
	narrow: false,
	run: (arena, round) => {
		const { id } = aProof();
		return withProofs(arena, round, (issuedAt) => aTicket(issuedAt, { id }));
	},
	always: { allowed: 1, faults: 0 }
};

const tickets: ProcessRace = {
	title: 'of 20 tickets of one network two are accepted in total, however many processes',
	naively: 'counting the tickets of a network before recording one accepts more',
	naive: ['throttle'],
	narrow: false,
	run: (arena, round) => withProofs(arena, round, aTicket),
	always: { allowed: 2, faults: 0 }
};

const check: ProcessRace = {
	title: 'S22: one proof with 20 checks in all processes allows one of them',
	naively: 'looking up the proof before recording its use allows more',
	naive: ['spentProofs'],
	narrow: false,
	run: async (arena, round) => {
		const same = aProof();
		const moves = times(20, (): Move => ['spentProofs', 'spend', same, aNetwork(), at(0), policy]);
		const outcomes = await arena.go(dealt(arena, moves), round);
		return { allowed: counted(valuesOf(outcomes), Boolean), faults: faultsOf(outcomes) };
	},
	always: { allowed: 1, faults: 0 }
};

export const budgetProcessRaces: readonly ProcessRace[] = [
	budget,
	share,
	proof,
	ticket,
	tickets,
	check
];
