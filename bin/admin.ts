import { createInterface, type Interface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
// Standard output has only the result, so that a program can read it.
import { complain as say } from '#lib/say.ts';
import { OPTIONS, Refusal, verbs, WrongUse, type Input } from './admin-verbs.ts';
import { runOidc } from './oidc.ts';
import { printable, printableJson } from './printable.ts';
import { withApp } from './with-app.ts';

// What operators do, by command: npm run admin -- block ada@example.com
// Exit codes: 0 done, 1 not done, 2 a wrong command.

const EXIT = { notDone: 1, wrong: 2 } as const;

const general = [
	'npm run admin -- VERB … [--json] [--yes]. ACCOUNT is an email address or an id.',
	...Object.values(verbs).map(({ usage, help }) => `  ${usage.padEnd(50)} ${help}`),
	`  ${'oidc clients add | list | remove, keys rotate'.padEnd(50)} applications that sign people in here`,
	'  --json prints JSON, --yes does not ask, --help explains a verb.'
];

const wrong = (...lines: readonly string[]): void => {
	for (const line of lines) say(line);
	process.exitCode = EXIT.wrong;
};

const parse = () => {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const options = Object.fromEntries(OPTIONS.map((name) => [name, text]));
	try {
		return parseArgs({
			allowPositionals: true,
			options: { ...options, json: flag, yes: flag, help: { ...flag, short: 'h' } }
		});
	} catch (error) {
		wrong(error instanceof Error ? (error.message.split('. ')[0] ?? '') : '');
		return null;
	}
};

/** `createdAt` becomes `created at`. */
const words = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

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

/** Reads answers from the terminal or a pipe, from the first question on. */
const openPrompt = (): Pick<Input, 'ask'> & { close(): void } => {
	let reader: Interface | null = null;
	let answers: AsyncIterator<string> | null = null;
	return {
		ask: async (question) => {
			reader ??= createInterface({ input: process.stdin, output: process.stderr });
			answers ??= reader[Symbol.asyncIterator]();
			process.stderr.write(question);
			const { value, done } = await answers.next();
			return done === true ? null : value;
		},
		close: () => reader?.close()
	};
};

const run = async (): Promise<void> => {
	const parsed = parse();
	if (parsed === null) return;
	const { json, yes, help, ...options } = parsed.values;
	const [name = '', ...args] = parsed.positionals;
	const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
	if (help === true) {
		for (const line of verb ? [`${verb.usage}: ${verb.help}`] : general) console.log(line);
		return;
	}
	if (verb === undefined) return wrong(...general);
	const [least, most] = verb.takes;
	const isUnknown = Object.keys(options).some((one) => !verb.options?.some((it) => it === one));
	if (args.length < least || args.length > most || isUnknown) return wrong(verb.usage);

	const prompt = openPrompt();
	const confirm = async (question: string): Promise<void> => {
		if (yes === true) return;
		if (!process.stdin.isTTY) throw new Refusal('this needs --yes without a terminal');
		if (!/^y(?:es)?$/i.test((await prompt.ask(`${question} [y/N] `)) ?? '')) {
			throw new Refusal('nothing was done');
		}
	};
	await withApp(async (app) => {
		const context = () => {
			const client = { requestId: null, ipAddress: null, userAgent: null };
			return { actor: { kind: 'operator', id: null } as const, at: app.clock.now(), ...client };
		};
		try {
			const input = { app, args, options, confirm, ask: prompt.ask, say };
			const result = await app.inEventContext(context, () => verb.run(input as Input));
			if (json === true || name === 'export') console.log(printableJson(result));
			else console.log(lines(result).join('\n') || 'nothing found');
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			say(error.message);
			process.exitCode = error instanceof WrongUse ? EXIT.wrong : EXIT.notDone;
		}
	}, say);
	prompt.close();
};

const [first, ...rest] = process.argv.slice(2);
await (first === 'oidc' ? runOidc(rest) : run());
