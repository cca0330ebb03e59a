import type { DeliverEmail } from './deliver-email.ts';
import type { LeaseDue } from './lease-due.ts';

/** What a worker works with. */
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
