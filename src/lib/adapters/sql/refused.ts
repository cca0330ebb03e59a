/**
 * Why a start, a copy or a backup cannot go on: one plain line for the operator that says what
 * is wrong and how to mend it, without anything of a row or a password.
 */
export class Refused extends Error {
	override readonly name = 'Refused';
}
