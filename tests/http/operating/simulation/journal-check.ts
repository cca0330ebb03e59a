import { isDeepStrictEqual } from 'node:util';
import type { BuiltServer } from '../../../support/process/built-server.ts';
import { bearer, call, inBatches, VERIFY, whoIsStored } from '../../../support/http/client.ts';
import { openDatabase, type Database, type Row } from '../../../support/http/database.ts';
import type { Facts, Life, Waiting } from './journal.ts';

/** Where the acknowledged facts must hold. */
interface Checked {
	readonly lives: readonly Life[];
	readonly server: BuiltServer;
	readonly database: Database;
}

/** What is visible of one person, in a form that allows comparing expectation and result. */
interface Sight {
	readonly accounts: number;
	readonly id: string | null;
	readonly address: string | null;
	readonly deletion: boolean;
	readonly consent: boolean;
	/** Accounts with data of their own. */
	readonly data: number;
	/** Rows of sessions. */
	readonly sessions: number;
	/** The account of each token that was ever issued. */
	readonly tokens: readonly (string | null)[];
	/** Pending codes and changes, by purpose and address. */
	readonly waiting: readonly string[];
	readonly sends: Readonly<Record<string, number>>;
}

/** The number of guesses that leaves one attempt for the right code of an address. */
const DEAD_CODES = 2;
const AT_ONCE = 24;

/**
 * Every difference from what was acknowledged, in words. A request without an answer may or may
 * not have had its effect; any partial effect is a difference too. Uses up the pending codes.
 */
export const complaintsAbout = async (checked: Checked): Promise<readonly string[]> => {
	const { lives, database, server } = checked;
	const dump = tablesByPerson(await database.dump());
	const perLife = await inBatches(lives, AT_ONCE, async (life) => {
		const tokens = await Promise.all(
			[...life.tokens].map((token) => whoIsStored(server, bearer(token)))
		);
		const sight = sightOf(life, dump, tokens as (string | null)[]);
		const wholes = [life.facts, ...(life.intent?.may() ?? [])];
		const differences = wholes.map((facts) => differencesOf(expected(life, facts, sight), sight));
		const possible = wholes.filter((_, i) => differences[i]?.length === 0);
		if (possible.length > 0) return complaintsAboutCodes(server, life, possible);
		const open = life.intent === null ? '' : `, perhaps ${life.intent.deed}`;
		const text = differences.map((one) => one.join(', ')).join(' | or ');
		return [`${life.person} after ${life.deeds.slice(-4).join(', ')}${open}: ${text}`];
	});
	return [...dump.orphans, ...perLife.flat()];
};

/** What SQLite’s own check finds in a file; PostgreSQL has no such check. */
export const damageOf = async (databaseUrl: string): Promise<readonly string[]> => {
	if (!databaseUrl.startsWith('file:')) return [];
	const database = openDatabase(databaseUrl);
	try {
		const found = [
			...(await database.rows('pragma integrity_check')),
			...(await database.rows('pragma foreign_key_check'))
		];
		return found.map((row) => Object.values(row).join(' ')).filter((text) => text !== 'ok');
	} finally {
		await database.close();
	}
};

interface ByPerson {
	rows(table: string, person: string): readonly Row[];
	/** Rows without an owner. */
	readonly orphans: readonly string[];
}

const tablesByPerson = (dump: Readonly<Record<string, readonly Row[]>>): ByPerson => {
	const personOf = new Map<unknown, string>();
	for (const { id, email } of dump['user'] ?? []) personOf.set(id, ownerOf(email));
	const groups = new Map<string, Row[]>();
	const orphans: string[] = [];
	for (const table of ['user', 'session', 'user_data', 'verification', 'auth_throttle']) {
		for (const row of dump[table] ?? []) {
			const email = row[table === 'auth_throttle' ? 'key' : 'email'];
			const person = email === undefined ? personOf.get(row['user_id']) : ownerOf(email);
			if (person === undefined) orphans.push(`a ${table} that belongs to nobody`);
			const key = `${table} ${person}`;
			const group = groups.get(key) ?? [];
			group.push(row);
			groups.set(key, group);
		}
	}
	return { rows: (table, person) => groups.get(`${table} ${person}`) ?? [], orphans };
};

/** The addresses of one person differ in the part after the first dot. */
const ownerOf = (email: unknown): string => String(email).split('.')[0] ?? '';

const sightOf = (
	{ person }: Life,
	{ rows }: ByPerson,
	tokens: readonly (string | null)[]
): Sight => {
	const [user] = rows('user', person);
	const [data] = rows('user_data', person);
	const places = [1, 2, 3, 4, 5].map((place) => `sent_at_${place}`);
	const sends = rows('auth_throttle', person).map((row): [string, number] => [
		String(row['key']),
		places.filter((place) => row[place] !== null).length
	]);
	return {
		accounts: rows('user', person).length,
		id: user === undefined ? null : String(user['id']),
		address: user === undefined ? null : String(user['email']),
		deletion: (user?.['deleted_at'] ?? null) !== null,
		// SQLite has no boolean type.
		consent: Boolean(data?.['marketing_opt_in']),
		data: rows('user_data', person).length,
		sessions: rows('session', person).length,
		tokens,
		waiting: rows('verification', person)
			.map(({ purpose, email }) => `${String(purpose)} ${String(email)}`)
			.toSorted(),
		sends: Object.fromEntries(sends)
	};
};

const expected = (
	{ tokens }: Life,
	{ account, sessions, waiting, sends }: Facts,
	{ id }: Sight
): Sight => ({
	accounts: account === null ? 0 : 1,
	id: account === null ? null : (account.id ?? id),
	address: account?.email ?? null,
	deletion: account?.deleted ?? false,
	consent: account?.consented ?? false,
	data: account === null ? 0 : 1,
	sessions: sessions.length,
	tokens: [...tokens].map((token) => (sessions.includes(token) ? (account?.email ?? null) : null)),
	waiting: Object.entries(waiting)
		.map(([way, { email }]) => `${way} ${email}`)
		.toSorted(),
	sends
});

const differencesOf = (wanted: Sight, seen: Sight): readonly string[] =>
	(Object.keys(wanted) as (keyof Sight)[])
		.filter((name) => !isDeepStrictEqual(wanted[name], seen[name]))
		.map((name) => `${name} ${JSON.stringify(seen[name])} for ${JSON.stringify(wanted[name])}`);

/**
 * A code that was used, replaced or voided is refused, and the pending one is accepted. If two
 * could be pending, it is one of them.
 */
const complaintsAboutCodes = async (
	server: BuiltServer,
	{ person, codes }: Life,
	possible: readonly Facts[]
): Promise<readonly string[]> => {
	const live = possible.map(({ waiting }) => waiting.sign_in);
	// If a newer code was not seen, that one may be pending.
	if (live.some((code) => code?.secret === null)) return [];
	const accepted = async ({ email, secret }: Waiting): Promise<boolean> =>
		(await call(server, VERIFY, { json: { email, otp: secret, restore: true } })).status === 200;
	const isLive = ({ email, secret }: Waiting): boolean =>
		live.some((code) => code?.email === email && code.secret === secret);

	const complaints: string[] = [];
	const dead = [...codes].filter((code) => code.secret !== null && !isLive(code));
	for (const code of dead.slice(-DEAD_CODES)) {
		if (await accepted(code)) complaints.push(`${person}: a code is accepted again`);
	}
	let works = 0;
	const waiting = live.filter((code) => code !== undefined);
	for (const code of waiting) works += (await accepted(code)) ? 1 : 0;
	if (works !== Math.min(waiting.length, 1)) {
		complaints.push(`${person}: of the codes that may wait ${works} are accepted`);
	}
	return complaints;
};
