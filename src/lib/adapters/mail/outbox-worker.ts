import type { OutboxLane } from '#lib/domain/outbox.ts';
import type { DeliverMail, LeasedMail, LeaseDue } from '#lib/domain/delivery/ports.ts';
import type { Timing } from './fair-queue.ts';

interface LanePace {
	readonly concurrency: number;
	/** Milliseconds from one start to the next. 0 starts as many as may run. */
	readonly startInterval: number;
}

export type LanePaces = Readonly<Record<OutboxLane, LanePace>>;

const POLL_MS = 5_000;

export interface WorkerParts {
	readonly lease: LeaseDue;
	readonly deliver: DeliverMail;
	readonly onFault: (where: string, fault: unknown) => void;
}

export interface OutboxWorker {
	/** Sends soon what is due. */
	wake(): void;
	/** From now on also sends what other processes left behind, and what is due again. */
	start(): void;
	/**
	 * Sends what is due without pacing, and begins no email after this many milliseconds. For
	 * shutdown, when no more requests arrive that could measure a delay.
	 */
	finish(within: number): Promise<void>;
}

export const outboxWorker = (
	parts: WorkerParts,
	paces: LanePaces,
	timing: Timing
): OutboxWorker => {
	const lanes = (['unconditional', 'conditional'] as const).map((name) =>
		openLane(name, paces[name], parts, timing)
	);
	let cancelPoll = (): void => undefined;
	const wake = (): void => lanes.forEach((lane) => lane.wake());
	const poll = (): void => {
		wake();
		cancelPoll = timing.after(POLL_MS, poll);
	};
	return {
		wake,
		start: poll,
		finish: async (within) => {
			cancelPoll();
			const close = (): void => lanes.forEach((lane) => lane.close());
			const cancelClose = timing.after(within, close);
			await Promise.all(lanes.map((lane) => lane.drain()));
			cancelClose();
			close();
		}
	};
};

/** Waits for the beginning of slots of this length, in milliseconds. */
const slotsOf = (length: number, timing: Timing) => {
	/** The number of the last slot. A timer can fire a little early, and must not use a slot twice. */
	let last = -1;
	return (): Promise<void> =>
		new Promise((resolve) => {
			const now = timing.now();
			last = Math.max(last, Math.floor(now / length)) + 1;
			timing.after(last * length - now, resolve);
		});
};

/**
 * Sends the due emails of one lane. It leases an email only when it can send it at once, so that a
 * lease never ends while its email waits in this process. With slots, each start waits for the next
 * slot, whether or not an email is sent in it. Slots begin at multiples of their length, whatever was
 * sent before. So the timing of other requests does not reveal that.
 */
const openLane = (
	name: OutboxLane,
	{ concurrency, startInterval }: LanePace,
	{ lease, deliver, onFault }: WorkerParts,
	timing: Timing
) => {
	const sending = new Set<Promise<void>>();
	/** Null until the first wake. A command that never wakes it sends no waiting emails. */
	let running: Promise<void> | null = null;
	let isDraining = false;
	let isClosed = false;
	let isWoken = false;
	let endSleep = (): void => undefined;
	const nextSlot = slotsOf(startInterval, timing);
	/** The store failed at the last lease. Only the first of several failures is reported. */
	let isDown = false;

	const leaseNext = async (limit: number): Promise<readonly LeasedMail[]> => {
		try {
			const leased = await lease(name, limit);
			isDown = false;
			return leased;
		} catch (fault) {
			if (!isDown) onFault('outbox', fault);
			isDown = true;
			return [];
		}
	};

	const send = (mail: LeasedMail): void => {
		const sent = deliver(mail)
			.catch((fault: unknown) => onFault(`${mail.kind} mail`, fault))
			.finally(() => sending.delete(sent));
		sending.add(sent);
	};

	const run = async (): Promise<void> => {
		while (!isClosed) {
			if (sending.size >= concurrency) {
				await Promise.race(sending);
				continue;
			}
			isWoken = false;
			if (startInterval > 0 && !isDraining) await nextSlot();
			if (isClosed) return;
			const isPaced = startInterval > 0 && !isDraining;
			const leased = await leaseNext(isPaced ? 1 : concurrency - sending.size);
			leased.forEach(send);
			if (leased.length > 0 || isWoken) continue;
			if (isDraining) return;
			await new Promise<void>((resolve) => (endSleep = resolve));
		}
	};

	const wake = (): void => {
		isWoken = true;
		endSleep();
		if (!isClosed) running ??= run();
	};

	return {
		wake,
		/** Sends what is due without pacing. Resolves when nothing is due or being sent. */
		drain: async (): Promise<void> => {
			isDraining = true;
			endSleep();
			await running;
			await Promise.all(sending);
		},
		/** Leases nothing more. */
		close: (): void => {
			isClosed = true;
		}
	};
};
