import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { solveChallenge } from '#lib/ui/docs/samples/solve-challenge.ts';

test('the documented solver is that of the command-line example', () => {
	const url = new URL('../../../examples/node-cli/solve-challenge.mjs', import.meta.url);
	expect(solveChallenge).toBe(readFileSync(url, 'utf8'));
});
