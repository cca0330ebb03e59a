export interface QueueBounds {
	/** The maximum number of items in the queue of one key. */
	readonly perKey: number;
	/** The maximum number of items in all queues together. */
	readonly total: number;
}

/**
 * Waiting items in one queue per key. The queues take turns: one item of each, then the next item
 * of each.
 */
export interface RoundRobin<T> {
	/** The number of waiting items. */
	readonly size: number;
	/**
	 * Adds an item to the end of the queue of its key. Returns the item that did not fit, or null. If
	 * the queue is full, that is the new item. If all queues together are full, it is the newest item
	 * of the longest queue. So a long queue cannot keep out the first item of another one.
	 */
	add(key: string, item: T): T | null;
	/**
	 * How many of the waiting items would be served before an item that is added under this key now.
	 */
	countBefore(key: string): number;
	/** The number of items that wait under this key. */
	lengthOf(key: string): number;
	/**
	 * Removes and returns the next item, or null if there is none. Skips the keys that `mayServe`
	 * denies. They keep their turn.
	 */
	next(mayServe?: (key: string) => boolean): T | null;
	/** Removes an item from its queue. Returns false if the item is no longer there. */
	remove(key: string, item: T): boolean;
}

export const roundRobin = <T>({ perKey, total }: QueueBounds): RoundRobin<T> => {
	/** In the order of turns: a queue that was served moves to the end. Empty ones are removed. */
	const queues = new Map<string, T[]>();
	let size = 0;

	const longestQueue = (): readonly [string, T[]] | null => {
		let longest: readonly [string, T[]] | null = null;
		for (const entry of queues) {
			if (longest === null || entry[1].length > longest[1].length) longest = entry;
		}
		return longest;
	};

	const takeNewest = (name: string, items: T[]): T | null => {
		const newest = items.pop() ?? null;
		if (items.length === 0) queues.delete(name);
		size -= 1;
		return newest;
	};

	return {
		get size() {
			return size;
		},
		add: (name, item) => {
			const length = queues.get(name)?.length ?? 0;
			if (length >= perKey) return item;
			let removed: T | null = null;
			if (size >= total) {
				const longest = longestQueue();
				// Evicting an item of an equally long queue would only refuse another caller instead.
				if (longest === null || longest[1].length <= length + 1) return item;
				removed = takeNewest(...longest);
			}
			const items = queues.get(name) ?? [];
			items.push(item);
			queues.set(name, items);
			size += 1;
			return removed;
		},
		countBefore: (name) => {
			const own = queues.get(name)?.length ?? 0;
			let count = own;
			// A new queue joins at the end, so every other one has its turn first.
			let comesFirst = true;
			for (const [other, { length }] of queues) {
				if (other === name) comesFirst = false;
				else count += Math.min(length, comesFirst ? own + 1 : own);
			}
			return count;
		},
		lengthOf: (name) => queues.get(name)?.length ?? 0,
		next: (mayServe = () => true) => {
			for (const [name, items] of queues) {
				if (!mayServe(name)) continue;
				const item = items.shift() ?? null;
				queues.delete(name);
				if (items.length > 0) queues.set(name, items);
				size -= 1;
				return item;
			}
			return null;
		},
		remove: (name, item) => {
			const items = queues.get(name) ?? [];
			const index = items.indexOf(item);
			if (index < 0) return false;
			items.splice(index, 1);
			if (items.length === 0) queues.delete(name);
			size -= 1;
			return true;
		}
	};
};
