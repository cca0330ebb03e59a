import { createInterface, type Interface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
// Standard output has only the result, so that a program can read it.
import { printError } from '#lib/say.ts';
import {
	readOption,
	valueNames,
	verbs,
	type Input,
	type Options,
	type Verb
} from './admin-verbs.ts';
import { runOidc } from './oidc.ts';
import { printable, printableJson, words } from './printable.ts';
import { withApp } from './with-app.ts';

// What operators do, by command: npm run admin -- block ada@example.com
// Exit codes: 0 done, 1 not done, 2 a wrong command.

/** What a verb takes, with the defaults. */
const takenBy = (verb: Verb) => {
	const { args = ['ACCOUNT'], optionalArgs = [], options = [], requiredOptions = [] } = verb;
	return { args, optionalArgs, options, requiredOptions };
};

const usageOf = (name: string, verb: Verb): string => {
	const { args, optionalArgs, options, requiredOptions } = takenBy(verb);
	const text = (option: keyof Options): string => `--${option} ${valueNames[option]}`;
	const optional = [...optionalArgs, ...options.map(text)].map((part) => `[${part}]`);
	return [name, ...args, ...optional, ...requiredOptions.map(text)].join(' ');
};

const general = [
	'npm run admin -- VERB … [--json] [--yes]. ACCOUNT is an email address or an id.',
	...Object.entries(verbs).map(
		([name, verb]) => `  ${usageOf(name, verb).padEnd(50)} ${verb.help}`
	),
	`  ${'oidc clients add | list | remove, keys rotate'.padEnd(50)} applications that sign people in here`,
	'  --json prints JSON, --yes does not ask, --help explains a verb.'
].join('\n');

/** The command of a verb. Throws an error that says what is wrong. */
const read = (verb: Verb, usage: string, given: readonly string[]) => {
	const taken = takenBy(verb);
	const flag = { type: 'boolean', default: false } as const;
	const names = [...taken.options, ...taken.requiredOptions];
	const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
	const parsed = parseArgs({
		args: [...given],
		allowPositionals: true,
		options: { ...texts, json: flag, yes: flag, help: { ...flag, short: 'h' } }
	});
	const { help, yes, json, ...typed } = parsed.values;
	const options = Object.entries(typed as Record<string, string>).map(([name, text]) => {
		const value = readOption[name as keyof Options](text);
		if (value === null) throw new Error(`--${name} cannot be ${printableJson(text)}: ${usage}`);
		return [name, value];
	});
	const args = parsed.positionals;
	const missingOption = taken.requiredOptions.find((name) => !(name in typed));
	const missing = taken.args[args.length] ?? (missingOption && `--${missingOption}`);
	const extra = args[taken.args.length + taken.optionalArgs.length];
	const tooMuch = extra === undefined ? null : `${printableJson(extra)} is too much`;
	const problem = missing === undefined ? tooMuch : `${missing} is missing`;
	if (help !== true && problem !== null) throw new Error(`${problem}: ${usage}`);
	return { args, options: Object.fromEntries(options) as Options, help, yes, json };
};

/** A value as indented lines, an entry of a list in one. What has no value is left out. */
const lines = (value: object, indent = ''): string[] =>
	Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
		const label = `${indent}${words(name)}:`;
		if (inner === null || inner === undefined || inner === '') return [];
		if (inner instanceof Date) return [`${label} ${inner.toISOString()}`];
		if (typeof inner !== 'object') return [`${label} ${printable(String(inner as string))}`];
		const nested = lines(inner, `${indent}  `);
		if (nested.length === 0) return [];
		if (!Array.isArray(value)) return [label, ...nested];
		const fields = nested.map((line) => line.trim()).join(', ');
		return [`${indent}- ${fields.replaceAll(':, ', ': ')}`];
	});

let reader: Interface | undefined;

/** Reads an answer from the terminal or a pipe. Null at its end. */
const ask: Input['ask'] = async (question) => {
	reader ??= createInterface({ input: process.stdin, output: process.stderr });
	process.stderr.write(question);
	// The same iterator each time, so no line is lost.
	const { value, done } = await reader[Symbol.asyncIterator]().next();
	return done === true ? null : value;
};

const run = async (name: string, given: readonly string[]): Promise<void> => {
	const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
	if (verb === undefined) throw new Error(`there is no verb ${printableJson(name)}: see --help`);
	const usage = usageOf(name, verb);
	const { args, options, json, yes, help } = read(verb, usage, given);
	if (help === true) return console.log(`${usage}: ${verb.help}`);
	const confirm = async (question: string): Promise<void> => {
		if (yes === true) return;
		if (!process.stdin.isTTY) throw new Error('this needs --yes without a terminal');
		const answer = await ask(`${question} [y/N] `);
		if (!/^y(?:es)?$/i.test(answer ?? '')) throw new Error('nothing was done');
	};
	await withApp(async (app) => {
		const context = () => {
			const client = { requestId: null, ipAddress: null, userAgent: null };
			return { actor: { kind: 'operator', id: null } as const, at: app.clock.now(), ...client };
		};
		const input = { app, args, options, confirm, ask };
		const result = await app.inEventContext(context, () => verb.run(input));
		if (json === true || name === 'export') console.log(printableJson(result));
		else console.log(lines(result).join('\n') || 'nothing found');
	}, process.stderr);
	reader?.close();
};

const [first = '', ...rest] = process.argv.slice(2);
try {
	if (first === 'oidc') await runOidc(rest);
	else if (first === '--help' || first === '-h') console.log(general);
	else await run(first, rest);
} catch (error) {
	// Node explains a wrong option in further lines.
	const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
	printError(printable(line));
	process.exitCode = 2;
}
