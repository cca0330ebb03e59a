const later = (seconds: number): string => {
	if (seconds > 90) return `in ${Math.ceil(seconds / 60)} minutes`;
	return seconds === 1 ? 'in one second' : `in ${seconds} seconds`;
};

/** What a form says when many codes are requested or entered, before it does what it asks for. */
export const proof = {
	why: {
		send: 'A lot of codes are being requested right now.',
		check: 'A lot of codes are being entered right now.'
	},
	solving: 'Your browser is doing a short check. It takes a few seconds, and then we continue.',
	working: 'Checking your browser…',
	waiting: 'Keep this page open, and we’ll send yours as soon as we can.',
	again: 'The check took too long. Try again.',
	unable: (seconds: number): string =>
		`Your browser couldn’t do the short check. Try another browser, or come back ${later(seconds)}.`,
	needsScript: (seconds: number): string =>
		`Turn on JavaScript and try again, or come back ${later(seconds)}.`,
	ticket: (seconds: number): string => `You can continue in ${seconds} seconds.`,
	early: (seconds: number): string =>
		seconds === 1
			? 'That was a little too soon. You can continue in one second.'
			: `That was a little too soon. You can continue in ${seconds} seconds.`,
	ready: 'You can continue now.',
	proceed: 'Continue'
};
