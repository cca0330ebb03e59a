import { createInterface, type Interface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { OperatorError, say } from '#lib/operator-messages.ts';
import {
	accountVerbs,
	optionTypes,
	type Input,
	type Options,
	type Verb
} from './lib/admin-verbs.ts';
import { oidcVerbs } from './lib/oidc-verbs.ts';
import { calling, printable, printableJson, words } from './lib/printable.ts';
import { runCli } from './lib/run-cli.ts';
import { withApp } from './lib/with-app.ts';

// What operators do, by command: npm run admin -- block ada@example.com
// Standard output has only the result, so that a program can read it.
// Exit codes: 0 done, 1 not done, 2 a wrong command.

const verbs: Readonly<Record<string, Verb>> = { ...accountVerbs, ...oidcVerbs };

const argumentsOf = (verb: Verb) => {
	const { args = ['ACCOUNT'], optionalArgs = [], options = [], requiredOptions = [] } = verb;
	return { args, optionalArgs, options, requiredOptions };
};

const usageOf = (name: string, verb: Verb): string => {
	const { args, optionalArgs, options, requiredOptions } = argumentsOf(verb);
	const text = (option: keyof Options): string =>
		`--${option} ${optionTypes[option][0] ?? ''}`.trim();
	const optional = [...optionalArgs, ...options.map(text)].map((part) => `[${part}]`);
	return [name, ...args, ...optional, ...requiredOptions.map(text)].join(' ');
};

const general = [
	`${calling('admin')} VERB … [--json] [--yes]. ACCOUNT is an email address or an id.`,
	...Object.entries(verbs).map(
		([name, verb]) => `  ${usageOf(name, verb).padEnd(50)} ${verb.help}`
	),
	'  --json prints JSON, --yes does not ask, --help explains a verb.'
].join('\n');

const HELP = ['--help', '-h'];

/** Reads what follows a verb. Throws an error that says what is wrong. */
const readArguments = (verb: Verb, usage: string, given: readonly string[]) => {
	const taken = argumentsOf(verb);
	const flag = { type: 'boolean', default: false } as const;
	const own = [...taken.options, ...taken.requiredOptions].map((name) => {
		const type = optionTypes[name][0] === null ? 'boolean' : 'string';
		return [name, { type, multiple: true }] as const;
	});
	const { values, positionals: args } = parseArgs({
		args: [...given],
		allowPositionals: true,
		options: { ...Object.fromEntries(own), json: flag, yes: flag }
	});
	const { yes, json, ...typed } = values;
	const entries = Object.entries(typed as Record<string, string[]>).map(([name, texts]) => {
		const text = texts.at(-1) ?? '';
		const value = optionTypes[name as keyof Options][1](text, texts);
		if (value === null)
			throw new OperatorError(`--${name} cannot be ${printableJson(text)}: ${usage}`);
		return [name, value];
	});
	const options = Object.fromEntries(entries) as Options;
	verb.check?.(args, options);
	const missingOption = taken.requiredOptions.find((name) => !(name in typed));
	const missing = taken.args[args.length] ?? (missingOption && `--${missingOption}`);
	const extra = args[taken.args.length + taken.optionalArgs.length];
	const tooMuch = extra === undefined ? null : `${printableJson(extra)} is too much`;
	const problem = missing === undefined ? tooMuch : `${missing} is missing`;
	if (problem !== null) throw new OperatorError(`${problem}: ${usage}`);
	return { args, options, yes, json };
};

/** A value as indented lines. An entry of a list takes one line. Empty values are left out. */
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
	if (verb === undefined)
		throw new OperatorError(`there is no verb ${printableJson(name)}: see --help`);
	const usage = usageOf(name, verb);
	if (given.some((arg) => HELP.includes(arg))) return console.log(`${usage}: ${verb.help}`);
	const { args, options, json, yes } = readArguments(verb, usage, given);
	const confirm = async (question: string): Promise<void> => {
		if (yes === true) return;
		if (!process.stdin.isTTY) throw new OperatorError('this needs --yes without a terminal');
		const answer = await ask(`${question} [y/N] `);
		if (!/^y(?:es)?$/i.test(answer ?? '')) throw new OperatorError('nothing was done');
	};
	await withApp(async (app) => {
		const actor = { kind: 'operator', id: null } as const;
		const noClient = { requestId: null, ipAddress: null, userAgent: null };
		const context = () => ({ actor, at: app.clock.now(), ...noClient });
		const said: string[] = [];
		const input = { app, args, options, confirm, ask, say: (line: string) => said.push(line) };
		const result = await app.inEventContext(context, () => verb.run(input));
		if (json === true || name === 'export') console.log(printableJson(result));
		else if (said.length > 0) said.forEach(say);
		else console.log(lines(result).join('\n') || 'nothing found');
	}, process.stderr);
	reader?.close();
};

const given = process.argv.slice(2);
// Such as `oidc clients add`. Every other verb is one word.
const size = given[0] === 'oidc' ? 3 : 1;
const command = given.slice(0, size);
await runCli(
	() =>
		HELP.includes(command.at(-1) ?? '')
			? console.log(general)
			: run(command.join(' '), given.slice(size)),
	2
);
