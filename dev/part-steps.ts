import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lines of a file that follow each other, and what replaces them. */
interface Change {
	readonly file: string;
	readonly from: readonly string[];
	readonly to: readonly string[];
}

/** What has to be done to take a part out. */
export interface PartSteps {
	readonly deleted: readonly string[];
	readonly changes: readonly Change[];
	/** Whether the part has tables, so that taking it out needs a migration. */
	readonly needsMigration: boolean;
}

const SECTION = /^## .*`([a-z-]+)`$/;
const FENCE = /^```(\w*)(?: (\w+))?$/;

/**
 * Reads the steps of every part from the text of docs/removing-parts.md. A section whose title ends
 * with the name of a part has its steps in two kinds of code blocks: `text deleted` lists paths,
 * `diff` lists lines of files. A diff has no line numbers. Its lines without `+`, up to the next
 * empty line, are in the file exactly once, one after the other. Their indentation does not count.
 */
export const readPartSteps = (text: string): ReadonlyMap<string, PartSteps> => {
	const parts = new Map<string, PartSteps>();
	for (const section of text.split(/^(?=## )/m)) {
		const lines = section.split('\n');
		const [, name] = SECTION.exec(lines[0] ?? '') ?? [];
		if (name !== undefined) parts.set(name, stepsIn(lines));
	}
	return parts;
};

const stepsIn = (lines: readonly string[]): PartSteps => {
	const deleted: string[] = [];
	const changes: Change[] = [];
	let block: string | null = null;
	let file = '';
	let hunk: string[] = [];
	const endHunk = (): void => {
		if (hunk.length > 0) changes.push(changeOf(file, hunk));
		hunk = [];
	};
	for (const line of lines) {
		const [fence, language, kind] = FENCE.exec(line) ?? [];
		if (fence !== undefined) {
			endHunk();
			block = block === null ? (kind ?? language ?? '') : null;
		} else if (block === 'deleted') deleted.push(line);
		else if (block !== 'diff') continue;
		else if (line.startsWith('--- ')) [file] = [line.slice(4)];
		else if (line === '') endHunk();
		else hunk.push(line);
	}
	const needsMigration = lines.some((line) => line.includes('npm run db:generate'));
	return { deleted, changes, needsMigration };
};

const changeOf = (file: string, hunk: readonly string[]): Change => {
	const without = (mark: string): string[] =>
		hunk.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1));
	return { file, from: without('+'), to: without('-') };
};

/** Takes the steps in the project in `root`. Throws if one does not fit, before it changes a file. */
export const takePartOut = (root: string, { deleted, changes }: PartSteps): void => {
	const texts = new Map<string, readonly string[]>();
	for (const { file, from, to } of changes) {
		const lines = texts.get(file) ?? readFileSync(join(root, file), 'utf8').split('\n');
		const starts = lines.flatMap((_, i) =>
			from.every((line, offset) => lines[i + offset]?.trim() === line.trim()) ? [i] : []
		);
		const [start] = starts;
		if (start === undefined || starts.length > 1) {
			throw new Error(`${file} has ${starts.length} times:\n${from.join('\n')}`);
		}
		texts.set(file, lines.toSpliced(start, from.length, ...to));
	}
	for (const path of deleted) statSync(join(root, path));
	for (const [file, lines] of texts) writeFileSync(join(root, file), lines.join('\n'));
	for (const path of deleted) rmSync(join(root, path), { recursive: true });
};
