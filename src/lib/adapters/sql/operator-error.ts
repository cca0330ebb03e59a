/**
 * Why a start, a copy or a backup cannot go on. The message is one plain line for the operator:
 * what is wrong and how to fix it. It contains no data of a row and no password.
 */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}
