const TAG = '[postern] ';

/**
 * The output of a server, parsed once: a long run prints much, and each new piece triggers every
 * search.
 */
export class PrintedText {
	readonly #lines: string[] = [];
	/** The unfinished last line. */
	#rest = '';
	/** The rest of each line, by its text up to the colon. */
	readonly #tagged = new Map<string, string[]>();

	/** Returns the lines that this piece has finished. */
	add(piece: string): readonly string[] {
		const before = this.#lines.length;
		const [first = '', ...more] = piece.split('\n');
		this.#rest += first;
		for (const next of more) {
			this.#finish(this.#rest);
			this.#rest = next;
		}
		return this.#lines.slice(before);
	}

	#finish(line: string): void {
		this.#lines.push(line);
		if (!line.startsWith(TAG)) return;
		const [what = '', ...values] = line.slice(TAG.length).trimEnd().split(': ');
		const seen = this.#tagged.get(what) ?? [];
		seen.push(values.join(': '));
		this.#tagged.set(what, seen);
	}

	/** Finished lines, in order; the pieces of an unfinished line are not used. */
	get lines(): readonly string[] {
		return this.#lines;
	}

	/** The text after the colon in each finished line `[postern] <what>: …`. */
	tagged(what: string): readonly string[] {
		return this.#tagged.get(what) ?? [];
	}

	whole(): string {
		return [...this.#lines, this.#rest].join('\n');
	}
}
