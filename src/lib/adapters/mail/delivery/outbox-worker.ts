import type { OutboxWorker, WorkerParts } from '#lib/domain/delivery/deliver-email.ts';
import type { OutboxLane } from '#lib/domain/outbox.ts';
import { openLane, type Lane, type LanePace } from './outbox-lane.ts';
import type { Timing } from './usual-duration.ts';

export type LanePaces = Readonly<Record<OutboxLane, LanePace>>;

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
