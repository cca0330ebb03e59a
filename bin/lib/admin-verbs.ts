import type { App } from '#lib/app.server.ts';
import { outcomeOf } from '#lib/adapters/web/http/outcome.ts';
import { parseEventId, parseSessionId } from '#lib/domain/ids.ts';
import type { Account } from '#lib/domain/account/ports.ts';
import type { OperatorAction } from '#lib/domain/operators/ports.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { DAY } from '#lib/domain/time.ts';
import { OperatorError, printError } from '#lib/operator-messages.ts';

/** What the usage calls the value of an option, and how its values are read. Null for a wrong one. */
export const optionTypes = {
	after: ['EMAIL', String],
	'after-logout': ['URL', (_last: string, texts: readonly string[]) => texts],
	algorithm: ['ES256', String],
	before: ['ID', parseEventId],
	limit: ['N', (text: string) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : null)],
	logout: ['URL', String],
	public: [null, () => true],
	reason: ['TEXT', (text: string) => text.trim() || null],
	redirect: ['URL', (_last: string, texts: readonly string[]) => texts],
	session: ['ID', parseSessionId]
} as const;
type Types = typeof optionTypes;
export type Options = { readonly [Name in keyof Types]?: ReturnType<Types[Name][1]> };

export interface Input {
	readonly app: App;
	/** The arguments after the verb. */
	readonly args: readonly string[];
	readonly options: Options;
	/** Asks in the terminal. Null at the end of the input. */
	readonly ask: (question: string) => Promise<string | null>;
	/** Throws unless the operator agrees, or gave `--yes`. */
	readonly confirm: (question: string) => Promise<void>;
	/** Prints a line in place of the fields of the result, except with `--json`. */
	readonly say: (line: string) => void;
}

export interface Verb {
	/** The required arguments. By default only the account. */
	readonly args?: readonly string[];
	readonly optionalArgs?: readonly string[];
	readonly options?: readonly (keyof Options)[];
	readonly requiredOptions?: readonly (keyof Options)[];
	readonly help: string;
	/** Throws an error with one line if the command is wrong. It needs no database. */
	readonly check?: (args: readonly string[], options: Options) => unknown;
	/** Returns what to print. Throws an error with one line if nothing was done. */
	readonly run: (input: Input) => Promise<object>;
}

const present = <T>(found: T | null): T => {
	if (found === null) throw new OperatorError('there is no account like this');
	return found;
};

const find = async ({ app, args: [text = ''] }: Input): Promise<Account> =>
	present(await app.findAccount(text));

const view = async (input: Input) => {
	const { before, limit } = input.options;
	const { id } = await find(input);
	return present(await input.app.viewAccount(id, null, before, limit ?? undefined));
};

/** Acts on an account. `unchanged` is the error if there is nothing to do. Asks the `question` first. */
const actOnAccount =
	(verb: OperatorAction['verb'], unchanged: string, question?: string): Verb['run'] =>
	async (input) => {
		const { session = null } = input.options;
		const { id: userId, email } = await find(input);
		if (question !== undefined) await input.confirm(`${question} ${email}?`);
		const action = { verb, userId, email, session, allowsOperators: true };
		const ended = await input.app.actOnAccount(action);
		if (ended === 'unchanged') throw new OperatorError(unchanged);
		if (typeof ended === 'string') throw new OperatorError('the account is gone');
		return { email, done: verb, endedSessions: ended.length };
	};

const changeEmail: Verb['run'] = async (input) => {
	const { app, args, options } = input;
	const found = await find(input);
	const to = args[1] ?? '';
	await input.confirm(`move ${found.email} to ${to}, and sign the person out everywhere?`);
	const requested = await app.requestOperatorEmailChange(found, to);
	if (!requested.ok) throw new OperatorError(outcomeOf(requested.error).message);
	printError(`a code was sent to ${requested.value.to}. Ask the person to read it to you`);
	for (;;) {
		const code = await input.ask('Code: ');
		if (code === null) throw new OperatorError('no code was given, so nothing was changed');
		const changed = await app.confirmOperatorEmailChange(
			requested.value,
			code,
			options.reason ?? ''
		);
		if (changed.ok) {
			const { user, ended } = changed.value;
			return { email: user.email, before: found.email, endedSessions: ended.length };
		}
		const { error } = changed;
		if (error.code !== 'invalid_code') throw new OperatorError(outcomeOf(error).message);
		printError(outcomeOf(error).message);
	}
};

/** What `npm run admin` does about accounts, by the name of the verb. */
export const accountVerbs: Readonly<Record<string, Verb>> = {
	grant: {
		help: 'makes an account an operator, until its email address changes',
		run: actOnAccount('grant', 'the account already is an operator')
	},
	revoke: { help: 'takes this role', run: actOnAccount('revoke', 'the account is no operator') },
	accounts: {
		args: [],
		optionalArgs: ['PREFIX'],
		options: ['after', 'limit'],
		help: 'lists accounts by the beginning of their email addresses',
		run: ({ app, args: [text = ''], options: { after = null, limit } }) =>
			app.listAccounts(text, after, limit ?? undefined)
	},
	show: {
		help: 'shows an account with its sessions, devices, consent, purchases and events',
		run: view
	},
	'end-sessions': {
		options: ['session'],
		help: 'ends all sessions, or one',
		run: actOnAccount('end_sessions', 'the account has no such session', 'end sessions of')
	},
	block: {
		help: 'ends all sessions, and lets nobody sign in',
		run: actOnAccount('block', 'the account already is blocked', 'sign out everywhere, and block')
	},
	unblock: {
		help: 'lets the person sign in again',
		run: actOnAccount('unblock', 'the account is not blocked')
	},
	delete: {
		help: `deletes an account. It can be restored for ${defaultPolicy.deletion.grace / DAY} days`,
		run: actOnAccount('delete', 'the account already is deleted', 'sign out everywhere, and delete')
	},
	restore: {
		help: 'restores a deleted account',
		run: actOnAccount('restore', 'the account is not deleted')
	},
	'change-email': {
		args: ['ACCOUNT', 'NEW_EMAIL'],
		requiredOptions: ['reason'],
		help: 'moves an account to an email address whose code the person reads to you',
		run: changeEmail
	},
	events: {
		options: ['before', 'limit'],
		help: 'lists what happened to an account, the newest first',
		run: async (input) => {
			const { events, next } = await view(input);
			return { events, next };
		}
	},
	export: {
		help: 'prints the data of the person, as JSON',
		run: async (input) => {
			const { id } = await find(input);
			return present(await input.app.exportAccount(id, { kind: 'operator', id: null }));
		}
	}
};
