import type { ProofScope } from '#lib/domain/proof/proof-scope.ts';
import type { FormWait } from './form-wait.ts';
import type { Puzzle } from '#lib/domain/proof/puzzles.ts';

/**
 * What a form needs before the server does what it asks for. It is the form's message. Contains
 * durations instead of times, because the visitor's clock may be wrong.
 */
export interface ProofDemand {
	readonly purpose: ProofScope['purpose'];
	/** For the page's script to solve. Null if there is nothing to solve now. */
	readonly puzzle: Puzzle | null;
	/** For a page without a script. Null if none is issued now. */
	readonly ticket: {
		readonly text: string;
		/** Seconds until it works. */
		readonly seconds: number;
		/** Whether the form was posted with it too early. */
		readonly early: boolean;
	} | null;
	/** Seconds until the form can get a ticket. Zero unless tickets are used up. */
	readonly ticketAfter: number;
	/** Null if the form can be sent now. */
	readonly wait: FormWait | null;
}
