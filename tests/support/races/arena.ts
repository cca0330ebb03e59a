import type { Contest, Twin } from './racer-stores.ts';
import type { Move, Outcome, Racers } from './racers.ts';

/*
 * What every race between processes needs: a round prepares in this process, starts the racers, and
 * checks the result.
 */

export interface Arena {
	/** The stores of the product, for preparation and checks. */
	readonly stores: Contest;
	readonly racers: Racers;
	/** Starts the racers; returns the results of all moves, in the order of the racers. */
	go(moves: readonly (readonly Move[])[], round: number): Promise<readonly Outcome[]>;
}

export interface ProcessRace {
	/** The ids and the right result. */
	readonly title: string;
	/** The result with the naive twin. */
	readonly naively: string;
	/** The ports that the naive twin replaces. */
	readonly naive: readonly Twin[];
	/** True if only one moment of a round can break it, which needs more rounds. */
	readonly narrow: boolean;
	readonly run: (arena: Arena, round: number) => Promise<object>;
	readonly always: object;
}

/** An arena whose racers use the naive twins of some ports. */
export const arenaOf = (stores: Contest, racers: Racers, naive: readonly Twin[] = []): Arena => ({
	stores,
	racers,
	go: async (moves, round) => {
		// Each round delays the second racer a little more, so that they meet at different statements.
		const stagger = ((round * 7) % 10) * 0.25;
		return (await racers.race(moves, { naive, stagger })).flat();
	}
});

/** Moves, dealt to the racers in turn. */
export const dealt = <T>(
	{ racers: { count } }: Arena,
	moves: readonly T[]
): readonly (readonly T[])[] =>
	Array.from({ length: count }, (_, racer) => moves.filter((_move, i) => i % count === racer));

/** Two moves of two racers, which start in changing order. */
export const duel = ({ racers: { count } }: Arena, round: number, moves: readonly Move[]) =>
	Array.from({ length: count }, (_, racer) => {
		const move = moves[(racer + round) % count];
		return move === undefined ? [] : [move];
	});

export const times = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));

export const faultsOf = (outcomes: readonly Outcome[]): number =>
	outcomes.filter(({ fault }) => fault !== null).length;

export const counted = (values: readonly unknown[], what: (value: never) => boolean): number =>
	values.filter((value) => what(value as never)).length;

export const valuesOf = (outcomes: readonly Outcome[]): readonly unknown[] =>
	outcomes.filter(({ fault }) => fault === null).map(({ value }) => value);

export const isThere = (value: unknown): boolean => value !== null;
