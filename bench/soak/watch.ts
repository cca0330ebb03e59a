import { memoryOf, openFilesOf } from '../../tests/support/process/server-process.ts';
import type { ServerProcess } from '../server-process.ts';

interface Sample {
	/** Minutes since `watch` was called. */
	readonly at: number;
	/** Resident memory, in megabytes. */
	readonly memory: number;
	readonly files: number;
}

/** The samples of one process. A restart begins another life. */
export interface Life {
	readonly name: string;
	readonly samples: readonly Sample[];
}

/** In milliseconds. */
const EVERY = 5000;

/** Samples memory and open files of these servers until it is stopped. */
export const watch = (
	servers: readonly ServerProcess[],
	every = EVERY
): { stop(): readonly Life[] } => {
	const began = performance.now();
	const lives = new Map<number, { readonly name: string; readonly samples: Sample[] }>();
	const look = (): void => {
		servers.forEach(({ pid }, index) => {
			const sample = sampleOf(pid, (performance.now() - began) / 60_000);
			if (sample === null) return;
			const life = lives.get(pid) ?? { name: `instance ${index + 1}, process ${pid}`, samples: [] };
			lives.set(pid, life);
			life.samples.push(sample);
		});
	};
	look();
	const timer = setInterval(look, every);
	return {
		stop: () => {
			clearInterval(timer);
			look();
			return [...lives.values()];
		}
	};
};

/** Null while the server restarts. */
const sampleOf = (pid: number, at: number): Sample | null => {
	try {
		return { at, memory: memoryOf(pid), files: openFilesOf(pid) };
	} catch {
		return null;
	}
};

/** The growth per minute, by least squares over the second half of a life. */
export const slope = ({ samples }: Life, of: 'memory' | 'files'): number => {
	const later = samples.slice(Math.floor(samples.length / 2));
	const mean = (values: readonly number[]): number =>
		values.reduce((sum, value) => sum + value, 0) / values.length;
	const [middle, level] = [mean(later.map(({ at }) => at)), mean(later.map((one) => one[of]))];
	const spread = later.reduce((sum, { at }) => sum + (at - middle) ** 2, 0);
	const rise = later.reduce((sum, one) => sum + (one.at - middle) * (one[of] - level), 0);
	return spread === 0 ? NaN : rise / spread;
};
