import { randomInt } from 'node:crypto';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';

/** The time of an attack. Its clock skips the seconds in which nothing happens. */
export interface VirtualTime {
	/** Seconds since the attack began. */
	now(): number;
	/** The server's time. */
	serverTime(): Date;
	/** Runs `work` at this second, or at the next one if it has passed. */
	at(second: number, work: () => Promise<void>): void;
	/** Runs everything before `end`. Work of the same second runs concurrently, in random order. */
	run(end: number): Promise<void>;
}

const HOUR = 3_600_000;

/**
 * Begins with the next hour of the clock, in which no email is counted yet. The clock only moves
 * forward. When the server is slower than the plan of an attack, the attack becomes slower.
 */
export const virtualTime = (server: BuiltServer): VirtualTime => {
	const began = (Math.floor(Date.now() / HOUR) + 1) * HOUR;
	let ahead = 0;
	const now = (): number => (Date.now() + ahead - began) / 1000;
	const plan = new Map<number, (() => Promise<void>)[]>();
	let running = -1;

	const moveTo = async (second: number): Promise<void> => {
		if (now() >= second) return;
		ahead = began + second * 1000 - Date.now();
		// The limits of one process use the machine's time, also on PostgreSQL.
		await server.setMachineClock(ahead / 1000);
		if (!server.databaseUrl.startsWith('file:')) await server.shiftClock(ahead / 1000);
	};
	return {
		now,
		serverTime: () => new Date(Date.now() + ahead),
		at: (second, work) => {
			const due = Math.max(Math.ceil(second), running + 1);
			plan.set(due, [...(plan.get(due) ?? []), work]);
		},
		run: async (end) => {
			for (running = 0; running < end && plan.size > 0; running += 1) {
				const due = plan.get(running);
				if (due === undefined) continue;
				plan.delete(running);
				await moveTo(running);
				await Promise.all(shuffled(due).map((work) => work()));
			}
		}
	};
};

const shuffled = <T>(items: readonly T[]): T[] =>
	items
		.map((item) => [randomInt(2 ** 40), item] as const)
		.sort(([one], [other]) => one - other)
		.map(([, item]) => item);
