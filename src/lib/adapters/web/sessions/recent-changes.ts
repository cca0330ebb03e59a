export interface RecentChanges<Id> {
	note(id: Id, at: Date): void;
	lastOf(id: Id): number | null;
}

/** What happened last to whom, forgotten once nothing read before it may be believed anyway. */
export const recently = <Id>(lifetime: number): RecentChanges<Id> => {
	/** In the order of the times, so that the oldest are found first. */
	const noted = new Map<Id, number>();
	return {
		note: (id: Id, at: Date): void => {
			const forgotten = at.getTime() - lifetime * 1000;
			for (const [one, time] of noted) {
				if (time > forgotten) break;
				noted.delete(one);
			}
			// The feed may have told it already, with room for clocks that differ.
			const time = Math.max(at.getTime(), noted.get(id) ?? -Infinity);
			noted.delete(id);
			noted.set(id, time);
		},
		lastOf: (id: Id): number | null => noted.get(id) ?? null
	};
};
