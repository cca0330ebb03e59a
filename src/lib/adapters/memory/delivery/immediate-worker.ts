import type { Background, OutboxWorker, WorkerParts } from '#lib/domain/index.ts';

/** Sends what is due one by one, as background work that a test can wait for. */
export const immediateWorker =
	(background: Background) =>
	({ lease, deliver }: Pick<WorkerParts, 'lease' | 'deliver'>): OutboxWorker => {
		const sendDue = async (): Promise<void> => {
			for (const lane of ['following', 'conditional'] as const) {
				for (let due = await lease(lane, 10); due.length > 0; due = await lease(lane, 10)) {
					for (const email of due) await deliver(email);
				}
			}
		};
		return {
			wake: () => background.run('outbox', sendDue),
			start: () => undefined,
			finish: () => Promise.resolve()
		};
	};
