import type { ProofPuzzle } from '#lib/domain/proof/ports.ts';

/** Solves a puzzle in a worker, so that the page keeps responding. Returns the answer to post. */
export const solve = (puzzle: ProofPuzzle, signal: AbortSignal): Promise<string> =>
	new Promise((resolve, reject) => {
		const worker = new Worker(new URL('./solver.worker.ts', import.meta.url), { type: 'module' });
		const fail = (): void => {
			worker.terminate();
			reject(new Error('not solved'));
		};
		worker.onmessage = ({ data: solution }: MessageEvent<object | null>) => {
			if (solution === null) return fail();
			worker.terminate();
			resolve(btoa(JSON.stringify({ challenge: puzzle, solution })));
		};
		worker.onerror = fail;
		signal.addEventListener('abort', fail);
		worker.postMessage(puzzle);
	});
