import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { seeded } from '../../tests/support/simulation/seeded.ts';

export interface Outcome<Kind extends string> {
	/** Microseconds from the time a request was due to its response, by kind. */
	readonly times: ReadonlyMap<Kind, RecordableHistogram>;
	/** Microseconds between the time a request was due and the time it was sent. */
	readonly late: RecordableHistogram;
	/** The number of failures, by kind and reason. */
	readonly errors: ReadonlyMap<string, number>;
	/** In seconds. */
	readonly took: number;
}

export interface OpenLoop<Kind extends string> {
	/** How many of a hundred requests are of each kind. */
	readonly mix: Readonly<Record<Kind, number>>;
	/** Requests per second. */
	readonly rate: number;
	/** For how long, in seconds. */
	readonly seconds: number;
	act(kind: Kind): Promise<void>;
}

/**
 * Sends requests at even intervals, however slow the responses are. The time of each request starts
 * when it was due. So a pause of the server, or of this process, shows in every request of that
 * pause, not in one.
 */
export const openLoop = async <Kind extends string>(
	loop: OpenLoop<Kind>
): Promise<Outcome<Kind>> => {
	const order = shuffled(loop.mix);
	const times = new Map([...new Set(order)].map((kind) => [kind, createHistogram()]));
	const late = createHistogram();
	const errors = new Map<string, number>();
	const underWay = new Set<Promise<void>>();

	const launch = (kind: Kind, meant: number): void => {
		late.record(microseconds(performance.now() - meant));
		const acting: Promise<void> = loop
			.act(kind)
			.then(() => times.get(kind)?.record(microseconds(performance.now() - meant)))
			.catch((error: unknown) => {
				const reason = `${kind}: ${error instanceof Error ? error.message : String(error)}`;
				errors.set(reason, (errors.get(reason) ?? 0) + 1);
			})
			.finally(() => underWay.delete(acting));
		underWay.add(acting);
	};

	const began = performance.now();
	const gap = 1000 / loop.rate;
	const amount = Math.round(loop.seconds * loop.rate);
	let sent = 0;
	await new Promise<void>((resolve) => {
		const sendDue = (): void => {
			const now = performance.now();
			for (; sent < amount && began + sent * gap <= now; sent += 1) {
				const kind = order[sent % order.length];
				if (kind !== undefined) launch(kind, began + sent * gap);
			}
			if (sent === amount) resolve();
			else setTimeout(sendDue, began + sent * gap - now);
		};
		sendDue();
	});
	await Promise.all(underWay);
	return { times, late, errors, took: (performance.now() - began) / 1000 };
};

/** At least one, the smallest value that a histogram accepts. */
const microseconds = (milliseconds: number): number => Math.max(1, Math.round(milliseconds * 1000));

/** The kinds of a hundred requests, in the same random order in every run. */
const shuffled = <Kind extends string>(mix: Readonly<Record<Kind, number>>): readonly Kind[] => {
	const chance = seeded('mix');
	return (Object.entries(mix) as [Kind, number][])
		.flatMap(([kind, share]) => Array.from({ length: share }, () => ({ kind, at: chance() })))
		.toSorted((one, other) => one.at - other.at)
		.map(({ kind }) => kind);
};
