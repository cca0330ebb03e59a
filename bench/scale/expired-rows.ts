import type { Database } from '../../tests/support/http/database.ts';

/** The numbers of expired rows, and of rows that the tasks must keep. */
export interface Amounts {
	readonly throttle: number;
	readonly codes: number;
	readonly sessions: number;
	readonly devices: number;
	/** Counts of the site, and spent proofs. */
	readonly counts: number;
	readonly proofs: number;
	/** Accounts that were deleted too long ago to be restored, each with data and a purchase. */
	readonly accounts: number;
	/** Accounts with data, a purchase, a session and a device; as many codes, counts and proofs. */
	readonly living: number;
}

/** The SQL that differs between the two databases. */
interface Dialect {
	/** Rows with a column `n` that counts from 1. */
	series(count: number): string;
	/** Days from now. Negative days are in the past. */
	days(days: string): string;
	/** Ids in the order of creation, as ours are. `first` is the first digit. */
	id(first: string): string;
	readonly yes: string;
	/** A random text as long as a hash. */
	readonly hash: string;
	/** A random part of an address, independent of the time of its row. */
	readonly someone: string;
	/** Brings the database to the state of one that has grown to this size. */
	readonly settle: string;
}

const sqlite: Dialect = {
	series: (count) =>
		`(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s)`,
	days: (days) => `(cast(unixepoch('subsec') * 1000 as integer) + (${days}) * 86400000)`,
	id: (first) => `printf('${first}%07x-0000-7000-8000-000000000000', n)`,
	yes: '1',
	hash: 'lower(hex(randomblob(32)))',
	someone: 'hex(randomblob(4)) || n',
	settle: 'pragma wal_checkpoint(truncate)'
};

const postgres: Dialect = {
	series: (count) => `(select n from generate_series(1, ${count}) n)`,
	days: (days) => `(now() + (${days}) * interval '1 day')`,
	id: (first) => `('${first}' || lpad(to_hex(n), 7, '0') || '-0000-7000-8000-000000000000')::uuid`,
	yes: 'true',
	hash: 'md5(random()::text) || md5(random()::text)',
	someone: 'md5(random()::text) || n',
	settle: 'vacuum analyze'
};

const dialectOf = (url: string): Dialect => (url.startsWith('file:') ? sqlite : postgres);

/** Fills a database that the server has migrated. */
export const fill = async (url: string, { rows }: Database, of: Amounts): Promise<void> => {
	const { series, days, id, yes, hash, someone, settle } = dialectOf(url);
	const accounts = (
		name: string,
		who: string,
		count: number,
		deletedAt: string
	): readonly string[] => [
		`insert into "user" (id, email, email_verified, created_at, updated_at, deleted_at)
			select ${id(name === 'living' ? 'f' : '0')}, '${name}' || ${who} || '@example.com', ${yes}, ${days('-90')}, ${days('-90')}, ${deletedAt}
			from ${series(count)} s`,
		`insert into user_data (user_id) select id from "user" where email like '${name}%'`,
		`insert into purchase (id, email, user_id, reference, product, status, created_at)
			select id, email, id, email, 'a book', 'paid', ${days('-90')} from "user"
			where email like '${name}%'`
	];
	// Spread over a month, the oldest first. Rows are ordered by time, addresses are not.
	const past = (count: number): string => days(`-61 + 30.0 * n / ${count}`);
	const code = (name: string, who: string, count: number, expiresAt: string): string =>
		`insert into verification (id, purpose, email, binding, hash, attempts, expires_at, created_at)
			select ${id(name === 'living' ? 'f' : '0')}, 'sign_in', '${name}' || ${who} || '@example.com', '', ${hash}, 0, ${expiresAt}, ${expiresAt}
			from ${series(count)} s`;
	const session = (name: string, count: number, expiresAt: string): string =>
		`insert into session (id, token_hash, user_id, expires_at, created_at, updated_at, ip_address, user_agent)
			select ${id(name === 'living' ? 'f' : '0')}, ${hash}, u.id, ${expiresAt}, ${expiresAt}, ${expiresAt}, '192.0.2.1', '${name}'
			from ${series(count)} s join "user" u on u.email = 'living' || (1 + n % ${of.living}) || '@example.com'`;
	const device = (name: string, count: number, usedAt: string): string =>
		`insert into device (id, key_hash, user_id, created_at, used_at)
			select ${id(name === 'living' ? 'f' : '0')}, ${hash}, u.id, ${usedAt}, ${usedAt}
			from ${series(count)} s join "user" u on u.email = 'living' || (1 + n % ${of.living}) || '@example.com'`;
	const count = (name: string, amount: number, since: string): string =>
		`insert into site_count (key, since, count)
			select 'network ${name}' || ${someone}, ${since}, 3 from ${series(amount)} s`;
	const proof = (name: string, amount: number, expiresAt: string): string =>
		`insert into spent_proof (id, expires_at)
			select '${name}' || ${someone}, ${expiresAt} from ${series(amount)} s`;
	const statements = [
		...accounts('gone', someone, of.accounts, past(of.accounts)),
		...accounts('living', 'n', of.living, 'null'),
		`insert into auth_throttle (email, sent_at_1, sent_at_2, failures, failed_at)
			select 'expired' || ${someone} || '@example.com', ${past(of.throttle)}, ${past(of.throttle)}, n % 2, ${past(of.throttle)}
			from ${series(of.throttle)} s`,
		// No recent send, but recent wrong guesses, so the tasks must keep the row.
		`insert into auth_throttle (email, sent_at_1, failures, failed_at)
			select 'living' || n || '@example.com', ${past(of.living)}, 7, ${days('-1')}
			from ${series(of.living)} s`,
		code('expired', someone, of.codes, past(of.codes)),
		code('living', 'n', of.living, days('9')),
		session('expired', of.sessions, past(of.sessions)),
		session('living', of.living, days('9')),
		device('expired', of.devices, days(`-431 + 30.0 * n / ${of.devices}`)),
		device('living', of.living, days('-399')),
		count('expired', of.counts, days(`-32 + 30.0 * n / ${of.counts}`)),
		count('living', of.living, days('-0.5')),
		proof('expired', of.proofs, past(of.proofs)),
		proof('living', of.living, days('9')),
		settle
	];
	for (const statement of statements) await rows(statement);
};

/** The number of rows that the tasks must keep, by table. */
export const living = async ({ rows }: Database): Promise<Readonly<Record<string, number>>> => {
	const counts: Record<string, number> = {};
	const where = {
		user: "email like 'living%'",
		user_data: `user_id in (select id from "user" where email like 'living%')`,
		purchase: "email like 'living%'",
		auth_throttle: "email like 'living%'",
		verification: "email like 'living%'",
		session: "user_agent = 'living'",
		device: "cast(id as text) like 'f%'",
		site_count: "key like 'network living%'",
		spent_proof: "id like 'living%'"
	};
	for (const [table, is] of Object.entries(where)) {
		const [row] = await rows(`select count(*) as count from "${table}" where ${is}`);
		counts[table] = Number(row?.['count']);
	}
	return counts;
};
