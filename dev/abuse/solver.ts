import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { altchaPuzzles, PUZZLE_COST } from '#lib/adapters/crypto/altcha-puzzles.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import { hmacSigner } from '#lib/adapters/crypto/hmac-signer.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { makeProofs } from '#lib/domain/proof/proofs.ts';
import type { Puzzle, Puzzles } from '#lib/domain/proof/puzzles.ts';
import { TEST_SECRET } from '../../tests/support/process/built-server.ts';
import { solve } from '../../tests/support/proof/solve.ts';

const derive = promisify(pbkdf2);
const DERIVATIONS = 2000;

/**
 * Processor seconds that a puzzle of level 0 costs on average. Measured with OpenSSL in the threads of
 * Node, which is native code on all cores.
 */
export const measureSolver = async (): Promise<number> => {
	const salt = randomBytes(16);
	const before = process.cpuUsage();
	for (let done = 0; done < DERIVATIONS; done += 100) {
		await Promise.all(
			Array.from({ length: 100 }, () =>
				derive(randomBytes(20), salt, PUZZLE_COST.iterations, 32, 'sha256')
			)
		);
	}
	const { user, system } = process.cpuUsage(before);
	return ((user + system) / 1e6 / DERIVATIONS) * (PUZZLE_COST.counters / 2);
};

/** The processors of an attacker. They solve one puzzle each at a time. */
export interface Cores {
	/** Charges a puzzle that arrives at `now`. Returns the second in which it is solved. */
	solve(level: number, now: number): number;
	/** Processor seconds so far. */
	used(): number;
}

/** `levelZero` is what `measureSolver` returns. */
export const attackerCores = (count: number, levelZero: number): Cores => {
	const freeAt = Array.from({ length: count }, () => 0);
	let used = 0;
	return {
		solve: (level, now) => {
			const cost = levelZero * 2 ** level;
			const core = freeAt.indexOf(Math.min(...freeAt));
			const solved = Math.max(now, freeAt[core] ?? 0) + cost;
			freeAt[core] = solved;
			used += cost;
			return solved;
		},
		used: () => used
	};
};

/** Puzzles of the server's secret whose search has two steps at this level. */
const puzzlesOf = (level: number): Puzzles =>
	altchaPuzzles(
		deriveKeys(TEST_SECRET, [], 'proof-puzzle'),
		deriveKeys(TEST_SECRET, [], 'proof-solution'),
		{ iterations: 1, counters: 2 / 2 ** level }
	);

/**
 * An answer that the server accepts for this challenge, without its work. The server's secret is that
 * of the tests, so the measurement makes a puzzle with the same terms and a short search. Callers
 * charge the work of the real one.
 */
export const cheapAnswer = async ({ parameters: { data } }: Puzzle): Promise<string> => {
	const level = Number(data['level']);
	const expiresAt = new Date(String(data['expiresAt']));
	return solve(await puzzlesOf(level).make({ binding: String(data['binding']), level, expiresAt }));
};

/**
 * The puzzle that the page offers while a mailbox is full. Its solution gets the next free send. `now`
 * is the server's time.
 */
export const offeredPuzzle = (email: string, level: number, now: Date): Promise<Puzzle> =>
	makeProofs({
		puzzles: puzzlesOf(level),
		signer: hmacSigner(deriveKeys(TEST_SECRET, [], 'proof')),
		clock: { now: () => now },
		domainNames: nodeDomainNames(),
		policy: defaultPolicy
	}).puzzle({ purpose: 'send', email, client: null }, level);

export const levelOf = ({ parameters: { data } }: Puzzle): number => Number(data['level']);
