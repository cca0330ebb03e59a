import type { Memory, PerSubject } from './figures.ts';
import type { Latency } from './open-loop.ts';
import type { Rounds } from './rounds.ts';

/** The measurements of a run. */
export interface Results {
	readonly scenarios: readonly {
		readonly id: string;
		readonly title: string;
		readonly rounds: Rounds;
	}[];
	/** `starts`, `memory` and `latency` are null in a run of selected scenarios. */
	readonly starts: PerSubject<readonly number[]> | null;
	readonly memory: PerSubject<Memory> | null;
	readonly memoryRequests: number;
	readonly latency: PerSubject<Latency> | null;
	readonly machine: readonly string[];
}
