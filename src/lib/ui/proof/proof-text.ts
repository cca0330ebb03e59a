import type { ProofDemand } from '#lib/view/proof.ts';
import { messages } from '#lib/messages/messages.ts';

/** Where a page is with the proof that a form needs. */
export type Phase =
	/** Nothing runs: the page has no JavaScript, or nothing to solve. */
	| 'plain'
	/** The page solves the puzzle, and then waits until the next send is free. */
	| 'solving'
	| 'failed'
	/** The server refused the solution. The person decides whether to try again. */
	| 'refused'
	/** The form was edited since, so it is another request. */
	| 'edited';

const texts = messages.proof;

/** From this level on, solving takes a phone a quarter of a minute or longer. */
const LONG_LEVEL = 4;

/**
 * What a form says about a demand. Empty if there is nothing to say. `isReady` says whether its time
 * is over. `button` is the label of the button that continues with a ticket.
 */
export const proofText = (
	demand: ProofDemand,
	phase: Phase,
	isReady: boolean,
	button: string
): string => {
	const { purpose, puzzle, ticket, ticketAfter, wait } = demand;
	// The form itself says that nothing can be sent yet.
	if (wait) {
		if (phase === 'solving') return texts.waiting;
		return isReady ? texts.free : '';
	}
	if (phase === 'refused') return texts.again;
	const why = texts.why[purpose];
	if (phase === 'solving') {
		const isLong = Number(puzzle?.parameters.data['level']) >= LONG_LEVEL;
		return `${why} ${isLong ? texts.solvingLong : texts.solving}`;
	}
	if (ticket === null) {
		const then = phase === 'failed' ? texts.unable : texts.needsScript;
		return `${why} ${then(ticketAfter)}`;
	}
	if (isReady) return texts.ready(button);
	const { seconds, early } = ticket;
	return early ? texts.early(seconds, button) : `${why} ${texts.ticket(seconds, button)}`;
};
