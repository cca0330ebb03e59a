import { describe, expect, test } from 'vitest';
import type { ProofPuzzle, ProofTerms } from '#lib/domain/proof/ports.ts';
import { cheapProofPuzzles, encodeAnswer, solve } from '../../support/web/solve.ts';

const decodeAnswer = (
	text: string
): { challenge: ProofPuzzle; solution: { counter: number; derivedKey: string } } =>
	JSON.parse(Buffer.from(text, 'base64').toString()) as ReturnType<typeof decodeAnswer>;

const terms: ProofTerms = {
	binding: 'b'.repeat(43),
	expiresAt: new Date('2026-03-01T12:00:00.000Z')
};

/** An answer that differs from a right one. */
const changed = async (change: (answer: ReturnType<typeof decodeAnswer>) => unknown) => {
	const puzzles = cheapProofPuzzles();
	const answer = decodeAnswer(await solve(await puzzles.make(terms)));
	return puzzles.parse(encodeAnswer(change(answer)));
};

describe('a puzzle', () => {
	test('comes back with its terms, and its solution is accepted', async () => {
		const puzzles = cheapProofPuzzles();
		const puzzle = await puzzles.make(terms);
		const answer = puzzles.parse(await solve(puzzle));
		expect(answer).toMatchObject({ id: puzzle.parameters.nonce, terms });
		expect(await answer?.verify()).toBe(true);
	});

	test('each has another id', async () => {
		const puzzles = cheapProofPuzzles();
		const ids = await Promise.all([puzzles.make(terms), puzzles.make(terms)]);
		expect(new Set(ids.map(({ parameters }) => parameters.nonce)).size).toBe(2);
	});

	test('tells the solver nothing about the counter but its range', async () => {
		const puzzle = await cheapProofPuzzles().make(terms);
		expect(Object.keys(puzzle.parameters).sort()).toEqual([
			'algorithm',
			'cost',
			'data',
			'keyLength',
			'keyPrefix',
			'keySignature',
			'nonce',
			'salt'
		]);
		expect(puzzle.parameters.data).toEqual({ ...terms, expiresAt: terms.expiresAt.toISOString() });
	});

	test('keeps its worth while the secret is rotated, and not after', async () => {
		const text = await solve(await cheapProofPuzzles('old').make(terms));
		expect(await cheapProofPuzzles('new', 'old').parse(text)?.verify()).toBe(true);
		expect(await cheapProofPuzzles('new').parse(text)?.verify()).toBe(false);
	});

	test.each<[string, (answer: ReturnType<typeof decodeAnswer>) => unknown]>([
		[
			'a later expiry',
			({ challenge, solution }) =>
				withData(challenge, { expiresAt: '2026-03-01T13:00:00.000Z' }, solution)
		],
		[
			'another binding',
			({ challenge, solution }) => withData(challenge, { binding: 'c' }, solution)
		],
		[
			'less work',
			({ challenge: { parameters, signature }, solution }) => ({
				challenge: { parameters: { ...parameters, cost: 2 }, signature },
				solution
			})
		],
		[
			'the wrong key',
			({ challenge, solution }) => ({
				challenge,
				solution: { ...solution, derivedKey: challenge.parameters.keyPrefix + '0'.repeat(32) }
			})
		],
		[
			'a signature of its own',
			({ challenge, solution }) => ({
				challenge: { ...challenge, signature: '0'.repeat(64) },
				solution
			})
		]
	])('with %s is not solved', async (_, change) => {
		expect(await (await changed(change))?.verify()).toBe(false);
	});
});

const withData = (
	challenge: ReturnType<typeof decodeAnswer>['challenge'],
	data: Readonly<Record<string, string>>,
	solution: unknown
): unknown => {
	const parameters = { ...challenge.parameters, data: { ...challenge.parameters.data, ...data } };
	return { challenge: { ...challenge, parameters }, solution };
};

describe('text that is no answer', () => {
	test('includes a right answer with filling', async () => {
		const puzzles = cheapProofPuzzles();
		const json = Buffer.from(await solve(await puzzles.make(terms)), 'base64').toString();
		expect(puzzles.parse(Buffer.from(json + ' '.repeat(100)).toString('base64'))).not.toBeNull();
		expect(puzzles.parse(Buffer.from(json + ' '.repeat(1500)).toString('base64'))).toBeNull();
	});

	test.each([
		['empty', ''],
		['no base64', '{"challenge":{}}'],
		['no JSON', Buffer.from('challenge').toString('base64')],
		['null', encodeAnswer(null)],
		['a list', encodeAnswer([])],
		['deep', encodeAnswer(JSON.parse('['.repeat(500) + ']'.repeat(500)))]
	])('%s is refused', (_, text) => {
		expect(cheapProofPuzzles().parse(text)).toBeNull();
	});

	test.each<[string, (answer: ReturnType<typeof decodeAnswer>) => unknown]>([
		['without a solution', ({ challenge }) => ({ challenge })],
		['without a challenge', ({ solution }) => ({ solution })],
		[
			'with the counter as text',
			({ challenge, solution }) => ({ challenge, solution: { ...solution, counter: '1' } })
		],
		[
			'with a key of another length',
			({ challenge, solution }) => ({ challenge, solution: { ...solution, derivedKey: '00' } })
		],
		[
			'of another algorithm',
			({ challenge: { parameters, signature }, solution }) => ({
				challenge: { parameters: { ...parameters, algorithm: 'SCRYPT' }, signature },
				solution
			})
		],
		[
			'with more parameters',
			({ challenge: { parameters, signature }, solution }) => ({
				challenge: { parameters: { ...parameters, memoryCost: 1e9 }, signature },
				solution
			})
		],
		[
			'with an expiry that is no time',
			({ challenge, solution }) => withData(challenge, { expiresAt: 'tomorrow' }, solution)
		]
	])('an answer %s is refused', async (_, change) => {
		expect(await changed(change)).toBeNull();
	});
});
