/**
 * Counts down the whole seconds of a duration that the server measured, and restarts when it changes.
 * Calculates from the end time, so the number is right after the device slept.
 */
export const countdown = (span: () => number): { readonly seconds: number } => {
	let left = $state<number | null>(null);

	$effect(() => {
		const end = Date.now() + span() * 1000;
		const timer = setInterval(() => count(), 250);
		const count = (): void => {
			// Reading `left` here would make the effect depend on it and restart at every count.
			const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
			left = seconds;
			if (seconds === 0) clearInterval(timer);
		};
		count();
		return () => clearInterval(timer);
	});

	return {
		/** Without JavaScript, the value that the server rendered. */
		get seconds() {
			return left ?? span();
		}
	};
};
