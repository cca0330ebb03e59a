import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** After five minutes the server refuses the puzzle. */
const TIMEOUT_MS = 290_000;

// Responds with the solution of a puzzle, or null if there is none in time.
self.onmessage = async ({ data }: MessageEvent<Challenge>) => {
	try {
		self.postMessage(await solveChallenge({ challenge: data, deriveKey, timeout: TIMEOUT_MS }));
	} catch {
		// The page has no access to `crypto.subtle` if it came over http from another machine.
		self.postMessage(null);
	}
};
