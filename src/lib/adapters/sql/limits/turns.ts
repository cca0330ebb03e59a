/**
 * Runs work for one key at a time, in the order of arrival. Work for other keys does not wait. Work
 * that fails fails the work that waits for it: a store that does not respond would otherwise let each
 * run into its own timeout, one after the other.
 */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export const makeTurns = (): Turns => {
	/** The latest work of each key that has not ended. */
	const latest = new Map<string, Promise<unknown>>();
	return (key, work) => {
		const before = latest.get(key);
		const turn = before === undefined ? work() : before.then(work);
		latest.set(key, turn);
		const forget = (): void => {
			if (latest.get(key) === turn) latest.delete(key);
		};
		turn.then(forget, forget);
		return turn;
	};
};
