import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILED } from '../process/built-server.ts';
import { QUICK_DRIZZLE } from '../database/quick-drizzle.ts';
import type { Move, Outcome, Turn } from './racer.ts';
import type { Twin } from './racer-stores.ts';

export type { Move, Outcome } from './racer.ts';

/** Processes that have one database open, and race on it on request. */
export interface Racers {
	readonly count: number;
	/**
	 * Starts the moves of all racers together. The barrier is an instant that all of them wait for;
	 * each starts `stagger` milliseconds after the one before it. Returns the outcomes, by racer and
	 * move. Throws when a racer ends. One race at a time.
	 */
	race(
		moves: readonly (readonly Move[])[],
		options?: { readonly naive?: readonly Twin[]; readonly stagger?: number }
	): Promise<readonly (readonly Outcome[])[]>;
	/** Resolves when they have ended. */
	stop(): Promise<void>;
}

const script = fileURLToPath(new URL('./racer.ts', import.meta.url));

/** Long enough for all racers to read their moves. */
const LEAD_MS = 4;

/** Starts them concurrently; resolves when each has opened the database. */
export const startRacers = async (url: string, count: number): Promise<Racers> => {
	const children = Array.from({ length: count }, () =>
		// Structured clones, so that a date arrives as one.
		fork(script, [url], {
			serialization: 'advanced',
			execArgv: [...QUICK_DRIZZLE],
			env: { ...process.env, ...COMPILED }
		})
	);
	const stop = async (): Promise<void> => {
		const running = children.filter(
			({ exitCode, signalCode }) => (exitCode ?? signalCode) === null
		);
		const ended = running.map((child) => once(child, 'exit'));
		for (const child of running) if (child.connected) child.disconnect();
		await Promise.all(ended);
	};
	try {
		await Promise.all(children.map(nextMessage));
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		count,
		race: (moves, { naive = [], stagger = 0 } = {}) => {
			const start = performance.timeOrigin + performance.now() + LEAD_MS;
			return Promise.all(
				children.map(async (child, index) => {
					const answer = nextMessage(child);
					const at = start + index * stagger;
					child.send({ moves: moves[index] ?? [], naive, at } satisfies Turn);
					return (await answer) as readonly Outcome[];
				})
			);
		},
		stop
	};
};

/** The next message of a racer. */
const nextMessage = (child: ChildProcess): Promise<unknown> =>
	new Promise((resolve, reject) => {
		const onExit = (code: number | null, signal: string | null): void => {
			child.off('message', onMessage);
			reject(new Error(`a racer ended with ${code ?? signal}; what it printed says why`));
		};
		const onMessage = (message: unknown): void => {
			child.off('exit', onExit);
			resolve(message);
		};
		child.once('message', onMessage).once('exit', onExit);
	});
