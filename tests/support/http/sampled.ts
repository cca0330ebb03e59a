import { rounds } from './client.ts';

/**
 * All combinations of a matrix in the long form, and every `step`-th in the short form. The fastest
 * varying part of the matrix must have more than `step` values and no factor in common with it. Then
 * every other combination keeps a value of that part, and the next one gets other values.
 */
export const sampled = <T>(matrix: readonly T[], step: number): readonly T[] =>
	matrix.filter((_, index) => index % rounds(step, 1) === 0);
