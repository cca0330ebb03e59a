const later = (seconds: number): string => {
	if (seconds > 90) return `in ${Math.ceil(seconds / 60)} minutes`;
	return seconds === 1 ? 'in one second' : `in ${seconds} seconds`;
};

/** What a form says when many codes are requested or entered, before it does what it asks for. */
export const proof = {
	why: {
		send: 'A lot of emails are being requested right now.',
		check: 'A lot of codes are being entered right now.'
	},
	solving: 'Your browser is doing a short check. It takes a few seconds, and then we continue.',
	solvingLong:
		'Your browser is doing a check. It can take a few minutes, and then we continue. Keep this page open.',
	working: 'Checking your browser…',
	waiting: 'If you keep this page open, we’ll send the email as soon as we can.',
	again: 'The check took too long. Press the button again.',
	unable: (seconds: number): string =>
		`Your browser couldn’t do the short check. Try another browser, or come back ${later(seconds)}.`,
	needsScript: (seconds: number): string =>
		`Turn on JavaScript and try again, or come back ${later(seconds)}.`,
	/** `button` is the label of the button that then works. */
	ticket: (seconds: number, button: string): string =>
		`Wait ${seconds} seconds, then press “${button}”.`,
	early: (seconds: number, button: string): string =>
		seconds === 1
			? `That was a little too soon. Wait one more second, then press “${button}”.`
			: `That was a little too soon. Wait ${seconds} more seconds, then press “${button}”.`,
	ready: (button: string): string => `You can press “${button}” now.`,
	/** When a form that was refused for a time can be sent again. */
	free: 'You can try again now.',
	proceed: 'Continue'
};
