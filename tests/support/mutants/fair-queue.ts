import type { FairQueue, FairQueueSettings } from '#lib/adapters/mail/delivery/fair-queue.ts';

/** First come, first served, with a deadline for the answer only, as in a connection pool. */
export const fifoQueue = ({ width, patience, timing }: FairQueueSettings): FairQueue => {
	const waiting: (() => void)[] = [];
	let underWay = 0;
	const queue: FairQueue = {
		get waiting() {
			return waiting.length;
		},
		run: (_line, work) =>
			new Promise((resolve, reject) => {
				const arrived = timing.now();
				timing.after(patience, () => resolve('busy'));
				const begin = (): void => {
					underWay += 1;
					work(timing.now() - arrived)
						.then(resolve, reject)
						.finally(() => {
							underWay -= 1;
							waiting.shift()?.();
						});
				};
				if (underWay < width) begin();
				else waiting.push(begin);
			}),
		occupy: (line, work) => queue.run(line, work),
		hurry: () => undefined
	};
	return queue;
};
