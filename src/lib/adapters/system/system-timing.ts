/** The time of this process, which no setting of the clock moves. */
export const systemTiming = {
	now: (): number => performance.now(),
	after: (milliseconds: number, then: () => void): (() => void) => {
		const timer = setTimeout(then, milliseconds);
		return () => clearTimeout(timer);
	}
};
