export interface LineBounds {
	/** The maximum number of items in one line. */
	readonly perLine: number;
	/** The maximum number of items in all lines together. */
	readonly total: number;
}

/**
 * Waiting items, grouped into lines. The lines take turns: one item of each line, then the next
 * item of each.
 */
export interface FairLines<T> {
	/** The number of waiting items. */
	readonly size: number;
	/**
	 * Adds an item to the end of a line. Returns the item that did not fit, or null. If the line is
	 * full, that is the new item. If all lines together are full, it is the newest item of the
	 * longest line. So a long line cannot keep out the first item of another line.
	 */
	add(line: string, item: T): T | null;
	/**
	 * How many of the waiting items would be served before an item that is added to this line now.
	 */
	countBefore(line: string): number;
	/** The number of items that wait in this line. */
	lengthOf(line: string): number;
	/**
	 * Removes and returns the next item, or null if there is none. Skips the lines that `mayServe`
	 * denies. They keep their turn.
	 */
	next(mayServe?: (line: string) => boolean): T | null;
	/** Removes an item from its line. Returns false if the item is no longer there. */
	remove(line: string, item: T): boolean;
}

export const fairLines = <T>({ perLine, total }: LineBounds): FairLines<T> => {
	/** In the order of turns: a line that was served moves to the end. Empty lines are removed. */
	const lines = new Map<string, T[]>();
	let size = 0;

	const longestLine = (): readonly [string, T[]] | null => {
		let longest: readonly [string, T[]] | null = null;
		for (const entry of lines) {
			if (longest === null || entry[1].length > longest[1].length) longest = entry;
		}
		return longest;
	};

	const takeNewest = (name: string, items: T[]): T | null => {
		const newest = items.pop() ?? null;
		if (items.length === 0) lines.delete(name);
		size -= 1;
		return newest;
	};

	return {
		get size() {
			return size;
		},
		add: (name, item) => {
			const length = lines.get(name)?.length ?? 0;
			if (length >= perLine) return item;
			let removed: T | null = null;
			if (size >= total) {
				const longest = longestLine();
				// Evicting an item of an equally long line would only refuse another caller instead.
				if (longest === null || longest[1].length <= length + 1) return item;
				removed = takeNewest(...longest);
			}
			const items = lines.get(name) ?? [];
			items.push(item);
			lines.set(name, items);
			size += 1;
			return removed;
		},
		countBefore: (name) => {
			const own = lines.get(name)?.length ?? 0;
			let count = own;
			// A new line joins at the end, so every other line has its turn first.
			let comesFirst = true;
			for (const [other, { length }] of lines) {
				if (other === name) comesFirst = false;
				else count += Math.min(length, comesFirst ? own + 1 : own);
			}
			return count;
		},
		lengthOf: (name) => lines.get(name)?.length ?? 0,
		next: (mayServe = () => true) => {
			for (const [name, items] of lines) {
				if (!mayServe(name)) continue;
				const item = items.shift() ?? null;
				lines.delete(name);
				if (items.length > 0) lines.set(name, items);
				size -= 1;
				return item;
			}
			return null;
		},
		remove: (name, item) => {
			const items = lines.get(name) ?? [];
			const index = items.indexOf(item);
			if (index < 0) return false;
			items.splice(index, 1);
			if (items.length === 0) lines.delete(name);
			size -= 1;
			return true;
		}
	};
};
