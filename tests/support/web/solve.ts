import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { altchaProofPuzzles, type ProofCost } from '#lib/adapters/crypto/altcha-proof-puzzles.ts';
import { deriveKeys, type KeyRing } from '#lib/adapters/crypto/keys.ts';
import type { ProofPuzzle, ProofPuzzles } from '#lib/domain/proof/ports.ts';

/** Solves a challenge as a client does. Returns the text for the header or the hidden field. */
export const solve = async (puzzle: ProofPuzzle | Challenge): Promise<string> => {
	const challenge = puzzle as Challenge;
	const solution = await solveChallenge({ challenge, deriveKey });
	return encodeAnswer({ challenge, solution });
};

/** The challenge of an API response. Null if it contains none. */
export const puzzleOf = ({
	status,
	text
}: {
	readonly status: number;
	readonly text: string;
}): ProofPuzzle | null =>
	status === 403 ? ((JSON.parse(text) as { challenge?: ProofPuzzle }).challenge ?? null) : null;

export const encodeAnswer = (answer: unknown): string =>
	Buffer.from(JSON.stringify(answer)).toString('base64');

const CHEAP: ProofCost = { iterations: 1, counters: 4 };

/**
 * Puzzles of the real kind that take no time, under the keys of secrets. The newest comes first.
 */
export const cheapProofPuzzles = (
	secret = 'a secret',
	...earlier: readonly string[]
): ProofPuzzles => {
	const keys = (purpose: string): KeyRing => deriveKeys(secret, earlier, purpose);
	return altchaProofPuzzles(keys('proof-puzzle'), keys('proof-solution'), CHEAP);
};
