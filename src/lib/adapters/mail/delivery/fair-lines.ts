export interface LineBounds {
	/** Items that one line holds at most. */
	readonly perLine: number;
	/** Items that all lines hold together at most. */
	readonly total: number;
}

/** Waiting lines that are served in turn: one item of each line, then the next one of each. */
export interface FairLines<T> {
	/** How many items wait. */
	readonly size: number;
	/**
	 * Adds an item to the end of a line. Returns the item that found no room: this one, or when all
	 * lines together are full, the newest one of the longest line. So a long line never keeps the
	 * first item of another one out. Null when there was room.
	 */
	add(line: string, item: T): T | null;
	/** How many of the waiting items are served before an item that is added to this line now. */
	countBefore(line: string): number;
	/** How many items wait in this line. */
	lengthOf(line: string): number;
	/**
	 * Takes the item whose turn it is; null when none waits. Lines that `mayServe` denies are skipped
	 * and keep their turn.
	 */
	next(mayServe?: (line: string) => boolean): T | null;
	/** Takes an item out of its line; false when it is not there any more. */
	remove(line: string, item: T): boolean;
}

export const fairLines = <T>({ perLine, total }: LineBounds): FairLines<T> => {
	/** In the order of their turns: the line that was served goes to the end. No line is empty. */
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
				// To exchange one for another of the same length would only move the refusal.
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
			// A line that is not there yet joins at the end: each of the others has its turn first.
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
