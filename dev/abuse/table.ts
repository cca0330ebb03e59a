import { median } from '../../tests/support/time/auc.ts';
import type { Result } from './attacks.ts';
import { IN_TIME } from './owners.ts';

const HEADINGS = [
	'Attack',
	'Database',
	'Emails',
	"Attacker's processor time",
	'Sign-ins of known devices',
	'Owners on new devices',
	'Memory'
];

export const printHeadings = (): void => {
	printRow(HEADINGS);
	printRow(HEADINGS.map(() => '---'));
};

export const printRow = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

const succeeded = ({ known }: Result): number =>
	known.filter((took) => took !== null && took <= IN_TIME).length;

/** Of the known devices that signed in within five seconds. The required part is 99 %. */
export const knownPart = (result: Result): number => succeeded(result) / result.known.length;

const seconds = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

const waitOf = ({ waits }: Result): string => {
	const middle = median(waits);
	const served = waits.filter(Number.isFinite).length;
	const wait = Number.isFinite(middle) ? `${seconds(middle)} s` : 'none in an hour';
	return `${served} of ${waits.length}, ${wait}`;
};

const emailsOf = ({ emails, guesses, lastGuess }: Result): string =>
	guesses === 0
		? String(emails)
		: `${emails} and ${guesses} guesses in ${(lastGuess / 60).toFixed(0)} min`;

const knownOf = (result: Result): string => {
	const slowest = Math.max(0, ...result.known.filter((took) => took !== null));
	const all = `${succeeded(result)} of ${result.known.length}`;
	return slowest === 0 ? all : `${all}, slowest ${seconds(slowest / 1000)} s`;
};

/** One row for an attack on one database, with the results of both builds where there are two. */
export const printResults = (
	attack: string,
	database: string,
	before: Result | null,
	after: Result
): void => {
	const both = (text: (result: Result) => string): string =>
		before === null ? text(after) : `${text(before)} → ${text(after)}`;
	printRow([
		attack,
		database,
		both(emailsOf),
		both(({ processorSeconds }) => `${seconds(processorSeconds)} s`),
		both(knownOf),
		both(waitOf),
		both(({ memory }) => `${memory.toFixed(0)} MB`)
	]);
};
