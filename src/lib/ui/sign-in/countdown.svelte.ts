/** Whole seconds left of a span that the server measured. */
export interface Countdown {
	readonly seconds: number;
	/** Where no script runs nothing counts, and `seconds` stays as the page was sent. */
	readonly counting: boolean;
}

/**
 * Counts down from what `span` says, and anew whenever that changes. It goes by instants, so a page
 * that slept wakes up with the right number.
 */
export const countdown = (span: () => number): Countdown => {
	let left = $state<number | null>(null);

	$effect(() => {
		const end = Date.now() + span() * 1000;
		const timer = setInterval(() => count(), 250);
		const count = (): void => {
			// Reading `left` itself in here would make the effect run, and start anew, at every count.
			const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
			left = seconds;
			if (seconds === 0) clearInterval(timer);
		};
		count();
		return () => clearInterval(timer);
	});

	return {
		get seconds() {
			return left ?? span();
		},
		get counting() {
			return left !== null && left > 0;
		}
	};
};
