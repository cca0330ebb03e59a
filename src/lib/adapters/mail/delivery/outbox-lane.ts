import type { WorkerParts } from '#lib/domain/delivery/deliver-email.ts';
import type { LeasedEmail, OutboxLane } from '#lib/domain/outbox.ts';
import type { Timing } from './usual-duration.ts';

/** How the emails of a lane are spread. */
export interface LanePace {
	/** How many emails may be sent at the same time. */
	readonly places: number;
	/** The time from one start to the next, in milliseconds. 0 starts all that have a place. */
	readonly slot: number;
}

export interface Lane {
	wake(): void;
	/** Sends what is due without pacing. Resolves when nothing is due or being sent. */
	drain(): Promise<void>;
	/** Leases nothing more. */
	close(): void;
}

/**
 * Sends the due emails of one lane. It leases an email only when it has a place for it, so that a
 * lease never ends while its email waits in this process. With slots, each start waits for the next
 * slot, whether or not an email is sent in it. Slots begin at multiples of their length, whatever was
 * sent before. So the timing of other requests does not reveal that.
 */
export const openLane = (
	lane: OutboxLane,
	{ places, slot }: LanePace,
	{ lease, deliver, onFault }: WorkerParts,
	timing: Timing
): Lane => {
	const sending = new Set<Promise<void>>();
	let filling: Promise<void> | null = null;
	let isWoken = false;
	let isHurried = false;
	let isClosed = false;
	let skipSlot = (): void => undefined;
	/** The number of the last slot. A timer can fire a little early, and must not use a slot twice. */
	let lastSlot = -1;
	/** The store failed at the last lease. Only the first of several failures is reported. */
	let isDown = false;

	const send = (email: LeasedEmail): void => {
		const sent = deliver(email)
			.catch((fault: unknown) => onFault(`${email.kind} mail`, fault))
			.finally(() => {
				sending.delete(sent);
				wake();
			});
		sending.add(sent);
	};

	const nextSlot = (): Promise<void> =>
		new Promise((resolve) => {
			const now = timing.now();
			lastSlot = Math.max(lastSlot, Math.floor(now / slot)) + 1;
			const cancel = timing.after(lastSlot * slot - now, resolve);
			skipSlot = () => {
				cancel();
				resolve();
			};
		});

	/** Returns false when nothing is due. */
	const startNext = async (): Promise<boolean> => {
		const isPaced = slot > 0 && !isHurried;
		if (isPaced) await nextSlot();
		if (isClosed) return false;
		const leased = await lease(lane, isPaced ? 1 : places - sending.size);
		isDown = false;
		leased.forEach(send);
		return leased.length > 0;
	};

	const fill = async (): Promise<void> => {
		do {
			isWoken = false;
			while (sending.size < places && (await startNext())) continue;
		} while (isWoken && sending.size < places && !isClosed);
	};

	const fillOnce = (): Promise<void> => {
		isWoken = true;
		filling ??= fill()
			.catch((fault: unknown) => {
				if (!isDown) onFault('outbox', fault);
				isDown = true;
				isWoken = false;
			})
			.finally(() => {
				filling = null;
				// An email was stored after the last lease.
				if (isWoken) wake();
			});
		return filling;
	};

	const wake = (): void => {
		if (!isClosed) void fillOnce();
	};

	return {
		wake,
		drain: async () => {
			isHurried = true;
			skipSlot();
			for (;;) {
				if (!isClosed) await fillOnce();
				if (sending.size === 0) return;
				await Promise.race(sending);
			}
		},
		close: () => {
			isClosed = true;
		}
	};
};
