import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import {
	freshCode,
	inBatches,
	sendCode,
	signIn,
	times,
	verifyCode,
	type Answer
} from '../../tests/support/http/client.ts';
import { openDatabase } from '../../tests/support/http/database.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlEvents } from '#lib/adapters/sql/events/events.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import type { Email } from '#lib/domain/email.ts';
import { difference, onEachEngine, timeOf, type Engine, type Result, type Sample } from './kit.ts';

// Whether answer times reveal if an email address has an account. Requests for addresses with and
// without one follow each other in random order, over loopback and one connection. No attacker can
// measure time more precisely.

/** How many email addresses of each kind. */
const COUNT = 2000;
/** Seconds after which a sample ends, with the answers it has so far. */
const TIMEOUT = 150;
const DEVICE = 'postern_device';

interface People {
	readonly known: ReadonlySet<string>;
	/** Those with an account and those without, in random order. They look alike. */
	readonly all: readonly string[];
}

export const somePeople = async (server: BuiltServer, count = COUNT): Promise<People> => {
	const all = times(2 * count, () => `${randomBytes(8).toString('hex')}@example.com`);
	const known = all.slice(0, count);
	await inBatches(known, 8, async (email) => {
		const { status, text } = await verifyCode(server, email, await freshCode(server, email));
		if (status !== 200) throw new Error(`no account: ${status} ${text}`);
	});
	await forgetSends(server);
	// The email addresses are random, so this order is too.
	return { known: new Set(known), all: all.toSorted() };
};

/** Forgets pending codes and counted sends, so that every email address can be asked for again. */
export const forgetSends = async ({ databaseUrl }: BuiltServer): Promise<void> => {
	const database = openDatabase(databaseUrl);
	for (const table of ['auth_throttle', 'verification']) {
		await database.rows(`delete from ${table}`);
	}
	await database.close();
};

/** Times each email address until the time limit. */
export const compare = async (
	what: string,
	{ known, all }: People,
	time: (email: string) => Promise<number>,
	most = Infinity
): Promise<Result> => {
	const sample: Sample = { known: [], unknown: [] };
	const end = performance.now() + TIMEOUT * 1000;
	for (const email of all) {
		if (performance.now() > end) break;
		sample[known.has(email) ? 'known' : 'unknown'].push(await time(email));
	}
	return difference(what, sample, most);
};

/** The duration of an answer, which must be the same for all email addresses. */
const timed = (
	expected: number,
	request: (email: string) => Promise<Answer>
): ((email: string) => Promise<number>) => {
	let body: string | undefined;
	return async (email) => {
		const began = performance.now();
		const { status, text } = await request(email);
		const took = performance.now() - began;
		body ??= text;
		if (status !== expected || text !== body) throw new Error(`unexpected: ${status} ${text}`);
		return took;
	};
};

/** The device cookie that a browser gets when somebody signs in on a page. */
const deviceCookieOf = async (server: BuiltServer): Promise<string> => {
	const page = { origin: server.address, 'sec-fetch-site': 'same-origin' };
	const { answer } = await signIn(server, undefined, page);
	const line = answer.setCookies.find((set) => set.startsWith(DEVICE));
	if (line === undefined) throw new Error('no device cookie');
	return line.split(';', 1)[0] ?? '';
};

/** C02 */
export const codeRequests = onEachEngine(async (engine, server, report) => {
	const people = await somePeople(server);
	const unknown = `${DEVICE}=${randomBytes(32).toString('base64url')}`;
	const cookies: Readonly<Record<string, OutgoingHttpHeaders>> = {
		'no device cookie': {},
		"the attacker's device cookie": { cookie: await deviceCookieOf(server) },
		'an unknown device cookie': { cookie: unknown }
	};
	for (const [cookie, headers] of Object.entries(cookies)) {
		const time = timed(200, (email) => sendCode(server, email, headers));
		report(await compare(`a request for a code, ${cookie}, ${engine}`, people, time, 2));
		await forgetSends(server);
	}
});

/** C03. In one of hundreds of runs, a guess is right. The run then ends with a message. */
export const wrongCodes = onEachEngine(async (engine, server, report) => {
	const people = await somePeople(server);
	const wrong = () => timed(400, (email) => verifyCode(server, email, '000000'));
	report(await compare(`a wrong code, none pending, ${engine}`, people, wrong()));
	await inBatches(people.all, 8, (email) => sendCode(server, email));
	report(await compare(`a wrong code, one pending, ${engine}`, people, wrong()));
	report(await storedCounts(engine, server, people));
});

/** What stores the count of a wrong code a second later. On SQLite all requests wait for it. */
const storedCounts = async (
	engine: Engine,
	{ databaseUrl }: BuiltServer,
	people: People
): Promise<Result> => {
	const open = engine === 'SQLite' ? openSqlite : openPostgres;
	const database = await open(databaseUrl);
	const { addCodeCounts } = sqlEvents(database);
	const hourly = { kind: 'code_refused', hour: new Date(0), count: 1 } as const;
	const result = await compare(`storing its count, ${engine}`, people, (email) =>
		timeOf(() => addCodeCounts([{ ...hourly, email: email as Email }]))
	);
	await database.close();
	return result;
};
