const TAG = '[postern] ';

/**
 * What a server has printed, read once: of a server that runs for long it becomes much, and whoever
 * looks for a line is called for each new piece.
 */
export class PrintedText {
	readonly #lines: string[] = [];
	/** What has no end yet. */
	#rest = '';
	/** By the line up to its colon, what follows that in each of them. */
	readonly #tagged = new Map<string, string[]>();

	add(piece: string): void {
		const [first = '', ...more] = piece.split('\n');
		this.#rest += first;
		for (const next of more) {
			this.#finish(this.#rest);
			this.#rest = next;
		}
	}

	#finish(line: string): void {
		this.#lines.push(line);
		if (!line.startsWith(TAG)) return;
		const [what = '', ...values] = line.slice(TAG.length).trimEnd().split(': ');
		const seen = this.#tagged.get(what) ?? [];
		seen.push(values.join(': '));
		this.#tagged.set(what, seen);
	}

	/** Finished ones, in order; of a line that arrives in pieces nothing is to be believed before. */
	get lines(): readonly string[] {
		return this.#lines;
	}

	/** What follows the colon in each finished line `[postern] <what>: …`; nothing where none does. */
	tagged(what: string): readonly string[] {
		return this.#tagged.get(what) ?? [];
	}

	whole(): string {
		return [...this.#lines, this.#rest].join('\n');
	}
}
