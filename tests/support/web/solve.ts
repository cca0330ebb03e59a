import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { altchaProofTasks, type ProofCost } from '#lib/adapters/crypto/altcha-proof-tasks.ts';
import { deriveKeys, type KeyPurpose, type KeyRing } from '#lib/adapters/crypto/keys.ts';
import type { ProofTask, ProofTasks } from '#lib/domain/proof/ports.ts';

/** Solves a challenge as a client does. Returns the text for the header or the hidden field. */
export const solve = async (task: ProofTask | Challenge): Promise<string> => {
	const challenge = task as Challenge;
	const solution = await solveChallenge({ challenge, deriveKey });
	return encodeAnswer({ challenge, solution });
};

/** The challenge of an API response. Null if it contains none. */
export const challengeOf = ({
	status,
	text
}: {
	readonly status: number;
	readonly text: string;
}): ProofTask | null =>
	status === 403 ? ((JSON.parse(text) as { challenge?: ProofTask }).challenge ?? null) : null;

export const encodeAnswer = (answer: unknown): string =>
	Buffer.from(JSON.stringify(answer)).toString('base64');

const CHEAP: ProofCost = { iterations: 1, counters: 4 };

/** Tasks of the real kind that take no time, under the keys of secrets. The newest comes first. */
export const cheapProofTasks = (secret = 'a secret', ...earlier: readonly string[]): ProofTasks => {
	const keys = (purpose: KeyPurpose): KeyRing => deriveKeys(secret, earlier, purpose);
	return altchaProofTasks(keys('proof-task'), keys('proof-solution'), CHEAP);
};
