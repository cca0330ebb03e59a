/** Where the operator switched `PROOF_OF_WORK` on. */
export const proof = {
	checking: 'Checking your browser…',
	again: 'The check took too long. Press the button again.',
	unable:
		'Your browser couldn’t complete a security check. If this happens again, use another browser.',
	retry: 'Try again',
	needsScript: 'To continue, turn on JavaScript, or use a browser where you’ve signed in before.'
};
