import type { KeyObject } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { ProofPuzzle, ProofPuzzles } from '#lib/domain/proof/ports.ts';
import type { KeyRing } from './keys.ts';

/**
 * The solution is a counter, and its derived key is signed. So verifying takes two signatures.
 * Browsers derive keys almost as fast as native programs do, which SHA-256 alone would not achieve:
 * each of its calls costs them more than the hash.
 */
const ALGORITHM = 'PBKDF2/SHA-256';

export interface ProofCost {
	/** Iterations for each counter. */
	readonly iterations: number;
	/** Counters among which the solution lies. On average, half of them are tried. */
	readonly counters: number;
}

/**
 * A million iterations on average. That is one second if a phone does a million in a second.
 * Chromium on one core of a server does five million.
 */
const PROOF_COST: ProofCost = { iterations: 2000, counters: 1000 };

const hex = (characters: number) => z.string().regex(new RegExp(`^[0-9a-f]{${characters}}$`));

/** An answer has about 800 characters. */
const MAX_TEXT = 2048;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const answerShape = z.object({
	challenge: z.object({
		parameters: z.strictObject({
			algorithm: z.literal(ALGORITHM),
			cost: z.int().positive(),
			data: z.strictObject({
				binding: z.string().max(64),
				expiresAt: z.iso.datetime()
			}),
			keyLength: z.literal(32),
			keyPrefix: hex(32),
			keySignature: hex(64),
			nonce: hex(32),
			salt: hex(32)
		}),
		signature: hex(64)
	}),
	solution: z.object({ counter: z.int().min(0).max(0xffff_ffff), derivedKey: hex(64) })
});

/** Puzzles in the format of ALTCHA 2, for which solvers exist in many languages. */
export const altchaProofPuzzles = (
	puzzleKeys: KeyRing,
	solutionKeys: KeyRing,
	{ iterations, counters }: ProofCost = PROOF_COST
): ProofPuzzles => {
	const solutions = solutionKeys.map(textOf);
	const secrets = puzzleKeys.map((key, at) => ({
		hmacSignatureSecret: textOf(key),
		hmacKeySignatureSecret: solutions[at] ?? ''
	}));
	return {
		make: async ({ binding, expiresAt }) => {
			const { parameters, signature } = await createChallenge({
				algorithm: ALGORITHM,
				cost: iterations,
				counter: randomInt(counters - 1, 0),
				// The library would compare its own expiry with the system's clock.
				data: { binding, expiresAt: expiresAt.toISOString() },
				deriveKey,
				...secrets[0]
			});
			return { parameters, signature } as ProofPuzzle;
		},

		parse: (text) => {
			const parsed = answerShape.safeParse(decoded(text));
			if (!parsed.success) return null;
			const { challenge, solution } = parsed.data;
			const { nonce, data } = challenge.parameters;
			return {
				id: nonce,
				terms: { ...data, expiresAt: new Date(data.expiresAt) },
				verify: async () => {
					const answer = { challenge, solution, deriveKey };
					for (const secret of secrets) {
						if ((await verifySolution({ ...answer, ...secret })).verified) return true;
					}
					return false;
				}
			};
		}
	};
};

const decoded = (text: string): unknown => {
	if (text.length > MAX_TEXT || !BASE64.test(text)) return null;
	try {
		return JSON.parse(Buffer.from(text, 'base64').toString());
	} catch {
		return null;
	}
};

/** The library takes keys as text. */
const textOf = (key: KeyObject): string => key.export().toString('base64url');
