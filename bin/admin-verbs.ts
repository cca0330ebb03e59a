import type { App } from '#lib/app.server.ts';
import { cursorText, parseCursor } from '#lib/domain/events/cursor.ts';
import { parseSessionId } from '#lib/domain/ids.ts';
import type { ManagedAccount, NotDone } from '#lib/domain/operators/ports.ts';

/** An expected failure: one line, and exit code 1. */
export class Refusal extends Error {}

/** A wrong command: one line, and exit code 2. */
export class WrongUse extends Refusal {}

export interface Input {
	readonly app: App;
	/** The arguments after the verb. */
	readonly args: readonly string[];
	readonly options: Readonly<Partial<Record<Option, string>>>;
	/** Asks in the terminal. Null at the end of the input. */
	readonly ask: (question: string) => Promise<string | null>;
	/** Refuses unless the operator agrees, or gave `--yes`. */
	readonly confirm: (question: string) => Promise<void>;
	readonly say: (line: string) => void;
}

export const OPTIONS = ['after', 'before', 'limit', 'reason', 'session'] as const;
type Option = (typeof OPTIONS)[number];

interface Verb {
	readonly usage: string;
	readonly help: string;
	/** How many arguments it takes, at least and at most. */
	readonly takes: readonly [number, number];
	readonly options?: readonly Option[];
	/** Returns what to print: a value that becomes JSON, or lines. */
	readonly run: (input: Input) => Promise<object>;
}

const account = async ({ app, args }: Input): Promise<ManagedAccount> => {
	const found = await app.manageAccounts.find(args[0] ?? '');
	if (found === null) throw new Refusal(`there is no account "${args[0]}"`);
	return found;
};

const target = ({ user }: ManagedAccount) => ({ userId: user.id, mayBeOperator: true });

/** The value of an action. Refuses if nothing was done. */
const done = <T>(value: T | NotDone, unchanged: string): T => {
	if (value === 'unchanged') throw new Refusal(unchanged);
	if (value === 'gone' || value === 'is_operator') throw new Refusal('the account is gone');
	return value as T;
};

const sizeOf = ({ options: { limit = '50' } }: Input): number => {
	const size = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
	if (size === 0) throw new WrongUse('--limit is a number from 1 to 9999');
	return size;
};

const listed = ({ user, deletedAt, blockedAt, role }: ManagedAccount): object => ({
	email: user.email,
	id: user.id,
	createdAt: user.createdAt,
	...(role !== null && { role }),
	...(blockedAt !== null && { blockedAt }),
	...(deletedAt !== null && { deletedAt })
});

const changeRole =
	(role: 'operator' | null, unchanged: string): Verb['run'] =>
	async (input) => {
		const found = await account(input);
		done(await input.app.manageAccounts.setRole(found, role), unchanged);
		return { email: found.user.email, role };
	};

const change =
	(verb: 'unblock' | 'restore', unchanged: string): Verb['run'] =>
	async (input) => {
		const found = await account(input);
		done(await input.app.manageAccounts[verb](target(found)), unchanged);
		return { email: found.user.email, done: verb };
	};

const ending =
	(verb: 'block' | 'delete', unchanged: string): Verb['run'] =>
	async (input) => {
		const found = await account(input);
		const { email } = found.user;
		await input.confirm(`${verb} ${email}? This signs the person out everywhere.`);
		const ended = done(await input.app.manageAccounts[verb](target(found)), unchanged);
		return { email, done: verb, endedSessions: ended.length };
	};

const endSessions: Verb['run'] = async (input) => {
	const { session: text } = input.options;
	const session = text === undefined ? null : parseSessionId(text);
	if (text !== undefined && session === null) throw new WrongUse('--session is an id from show');
	const found = await account(input);
	const { email } = found.user;
	await input.confirm(`end ${session === null ? 'all sessions' : 'a session'} of ${email}?`);
	const ended = await input.app.manageAccounts.endSessions(target(found), session);
	return { email, endedSessions: done(ended, 'the account has no such session').length };
};

const events: Verb['run'] = async (input) => {
	const { before: text } = input.options;
	const before = text === undefined ? null : parseCursor(text);
	if (text !== undefined && before === null)
		throw new WrongUse('--before is what the page before ended with');
	const size = sizeOf(input);
	const { user } = await account(input);
	const { events: page } = done(
		(await input.app.manageAccounts.open(user.id, null, before, size)) ?? 'gone',
		''
	);
	return { events: page.events, next: cursorText(page.next) };
};

const FAILURES: Readonly<Record<string, string>> = {
	account_deleted: 'the account is deleted. Restore it first',
	invalid_email: 'the new email address is not complete',
	same_email: 'the account already has this email address',
	email_taken: 'another account has the new email address, or it is reserved for one',
	delivery_failed: 'the code could not be sent. Check: npm run mail:check',
	expired_code: 'the code has expired. Run the command again',
	too_many_attempts: 'too many wrong codes. Run the command again'
};

const changeEmail: Verb['run'] = async (input) => {
	const { app, args, options } = input;
	const reason = options.reason?.trim() ?? '';
	if (reason === '') throw new WrongUse('say why: --reason "how you checked the person"');
	const found = await account(input);
	const to = args[1] ?? '';
	await input.confirm(`move ${found.user.email} to ${to}? This signs the person out everywhere.`);
	const requested = await app.operatorEmailChange.request(found, to);
	if (!requested.ok) throw new Refusal(FAILURES[requested.error.code]);
	input.say(`a code was sent to ${requested.value.to}. Ask the person to read it to you`);
	for (;;) {
		const code = await input.ask('Code: ');
		if (code === null) throw new Refusal('no code was given, so nothing was changed');
		const changed = await app.operatorEmailChange.confirm(requested.value, code, reason);
		if (changed.ok) {
			const { user, ended } = changed.value;
			return { email: user.email, before: found.user.email, endedSessions: ended.length };
		}
		const { error } = changed;
		if (error.code !== 'invalid_code') throw new Refusal(FAILURES[error.code]);
		input.say('that code is wrong');
	}
};

/** What `npm run admin` does, by the name of the verb. */
export const verbs: Readonly<Record<string, Verb>> = {
	grant: {
		usage: 'grant ACCOUNT',
		help: 'makes an account an operator, until its email address changes',
		takes: [1, 1],
		run: changeRole('operator', 'the account already is an operator')
	},
	revoke: {
		usage: 'revoke ACCOUNT',
		help: 'takes this role',
		takes: [1, 1],
		run: changeRole(null, 'the account is no operator')
	},
	accounts: {
		usage: 'accounts [PREFIX] [--after EMAIL] [--limit N]',
		help: 'lists accounts by the beginning of their email addresses',
		takes: [0, 1],
		options: ['after', 'limit'],
		run: async (input) => {
			const { app, args, options } = input;
			const [text = ''] = args;
			const page = await app.manageAccounts.list(text, options.after ?? null, sizeOf(input));
			return { accounts: page.accounts.map(listed), next: page.next };
		}
	},
	show: {
		usage: 'show ACCOUNT',
		help: 'shows an account with its sessions, devices, consent, purchases and events',
		takes: [1, 1],
		run: async (input) => {
			const { user } = await account(input);
			return done((await input.app.manageAccounts.open(user.id, null)) ?? 'gone', '');
		}
	},
	'end-sessions': {
		usage: 'end-sessions ACCOUNT [--session ID]',
		help: 'ends all sessions, or one',
		takes: [1, 1],
		options: ['session'],
		run: endSessions
	},
	block: {
		usage: 'block ACCOUNT',
		help: 'ends all sessions, and lets nobody sign in',
		takes: [1, 1],
		run: ending('block', 'the account already is blocked')
	},
	unblock: {
		usage: 'unblock ACCOUNT',
		help: 'lets the person sign in again',
		takes: [1, 1],
		run: change('unblock', 'the account is not blocked')
	},
	delete: {
		usage: 'delete ACCOUNT',
		help: 'deletes an account. It can be restored for 30 days',
		takes: [1, 1],
		run: ending('delete', 'the account already is deleted')
	},
	restore: {
		usage: 'restore ACCOUNT',
		help: 'restores a deleted account',
		takes: [1, 1],
		run: change('restore', 'the account is not deleted')
	},
	'change-email': {
		usage: 'change-email ACCOUNT NEW_EMAIL --reason TEXT',
		help: 'moves an account to an email address whose code the person reads to you',
		takes: [2, 2],
		options: ['reason'],
		run: changeEmail
	},
	events: {
		usage: 'events ACCOUNT [--before PLACE] [--limit N]',
		help: 'lists what happened to an account, the newest first',
		takes: [1, 1],
		options: ['before', 'limit'],
		run: events
	},
	export: {
		usage: 'export ACCOUNT',
		help: 'prints the data of the person, as JSON',
		takes: [1, 1],
		run: async (input) => {
			const { user } = await account(input);
			return done((await input.app.exportAccount(user.email, 'operator')) ?? 'gone', '');
		}
	}
};
