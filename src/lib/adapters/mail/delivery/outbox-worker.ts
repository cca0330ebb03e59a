import type { DeliverEmail, LeaseDue, OutboxLane } from '#lib/domain/index.ts';
import { openLane, type Lane } from './outbox-lane.ts';
import type { Timing } from './usual-duration.ts';

/** How the emails of a lane are spread. */
export interface LanePace {
	/** How many emails may be sent at the same time. */
	readonly places: number;
	/** The time from one start to the next, in milliseconds. 0 starts all that have a place. */
	readonly slot: number;
}

export type LanePaces = Readonly<Record<OutboxLane, LanePace>>;

export interface WorkerParts {
	readonly lease: LeaseDue;
	readonly deliver: DeliverEmail;
	/** Gets the error of a store or a mailer. */
	readonly onFault: (where: string, fault: unknown) => void;
}

/** Sends the emails of the outbox in this process. */
export interface OutboxWorker {
	/** Sends soon what is due. */
	wake(): void;
	/** From now on also sends what other processes left behind, and what is due again. */
	start(): void;
	/**
	 * Sends what is due without pacing, and begins no email after this many milliseconds. For
	 * shutdown, when no more requests arrive that could measure a delay.
	 */
	finish(patience: number): Promise<void>;
}

/** How often a process looks for emails that are due, in milliseconds. */
const POLL = 5_000;

export const outboxWorker = (
	parts: WorkerParts,
	paces: LanePaces,
	timing: Timing
): OutboxWorker => {
	const lanes: readonly Lane[] = [
		openLane('following', paces.following, parts, timing),
		openLane('conditional', paces.conditional, parts, timing)
	];
	let cancelPoll = (): void => undefined;
	/** A program of an operator stores no emails, and sends none that wait. */
	let isUsed = false;
	const wake = (): void => {
		isUsed = true;
		for (const lane of lanes) lane.wake();
	};
	const poll = (): void => {
		wake();
		cancelPoll = timing.after(POLL, poll);
	};
	return {
		wake,
		start: poll,
		finish: async (patience) => {
			cancelPoll();
			const cancel = timing.after(patience, () => lanes.forEach((lane) => lane.close()));
			if (isUsed) await Promise.all(lanes.map((lane) => lane.drain()));
			cancel();
			for (const lane of lanes) lane.close();
		}
	};
};
