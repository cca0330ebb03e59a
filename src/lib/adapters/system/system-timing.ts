/** The monotonic time of this process. Setting the machine's clock does not change it. */
export const systemTiming = {
	now: (): number => performance.now(),
	after: (milliseconds: number, then: () => void): (() => void) => {
		const timer = setTimeout(then, milliseconds);
		return () => clearTimeout(timer);
	}
};
