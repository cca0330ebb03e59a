/** Where the operator switched `PROOF_OF_WORK` on. */
export const proof = {
	checking: 'Checking your browser…',
	again: 'The check took too long. Press the button again.',
	unable: 'Your browser couldn’t complete a security check. Try another browser.',
	needsScript:
		'This site needs JavaScript to send a code at the moment. Turn it on, or use a browser where you’ve signed in before.'
};
