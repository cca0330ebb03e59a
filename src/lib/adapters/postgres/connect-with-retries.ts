import { setTimeout as pause } from 'node:timers/promises';
import type { ISql, Sql as Client } from 'postgres';
import { OperatorError } from '#lib/operator-messages.ts';
import { storeFault } from '../sql/sql.ts';
import { sessionSettings, type Connect } from './connect.ts';
import { connectionOptions, within } from './pool.ts';
import { isTransient, startFault } from './start-fault.ts';

const PAUSE_MS = 500;
/**
 * For one attempt. The driver would retry forever when a proxy accepts a connection and closes it.
 */
const TRY_MS = 6000;

type Options = Parameters<Connect>[0];

/**
 * Returns a client with one connection to the server itself, after it has responded. If the server
 * is not up yet, it waits for `retryFor` milliseconds and says so once. An error that waiting
 * cannot solve is thrown at once.
 */
export const connectWithRetries = async (
	connect: Connect,
	settings: Options['connection'],
	retryFor: number,
	say: (line: string) => void = () => undefined
): Promise<Client> => {
	const options = {
		max: 1,
		max_lifetime: null,
		connect_timeout: 5,
		fetch_types: false,
		onnotice: () => {},
		connection: { ...sessionSettings, ...settings }
	};
	const deadline = AbortSignal.timeout(retryFor);
	for (let tries = 1; ; tries += 1) {
		const client = connect(options);
		try {
			await within(TRY_MS, client.unsafe('select 1'));
			await within(TRY_MS, refusePoolers(client, options, connect));
			return client;
		} catch (fault) {
			void client.end({ timeout: 0 });
			const error =
				storeFault(fault).reason === REFUSED
					? poolerError(`refuses connections with the settings of Postern (${REFUSED})`)
					: fault;
			if (retryFor === 0 || !isTransient(error)) throw error;
			if (tries === 1) say(`${startFault(error).message}. Retrying for ${retryFor / 1000} seconds`);
			if (deadline.aborted) throw error;
		}
		await pause(PAUSE_MS);
	}
};

/**
 * Refuses a connection pooler, unless each connection through it is one session of PostgreSQL with
 * the settings that the connection was opened with. Settings, prepared statements and `LISTEN`
 * belong to a session.
 *
 * No statement here changes a session, because a pooler's sessions also serve other clients.
 *
 * @param client has at most one connection
 * @throws OperatorError
 */
export const refusePoolers = async (
	client: Client,
	options: Options,
	connect: Connect
): Promise<void> => {
	const serving = { ...connectionOptions, max: 1, prepare: false };
	const other = connect(serving);
	try {
		await refuseOtherSettings(client, options);
		await refuseOtherSettings(other, serving);
		await refuseSharedSessions(client, other);
	} finally {
		await other.end({ timeout: 1 });
	}
};

const refuseOtherSettings = async (client: Client, { connection }: Options): Promise<void> => {
	const names = Object.keys(connection ?? {});
	// The URL can override a setting.
	const values = names.map((name) => String(client.options.connection[name]));
	const shown = await Promise.all(names.map((name) => client.unsafe(`show ${name}`)));
	// Local settings end with this statement. It returns the form that SHOW has: "2s" for 2000.
	const local = names.map((name, i) => `set_config('${name}', $${i + 1}, true) as "${name}"`);
	const [sent] = await client.unsafe(`select ${local.join()}`, values);
	const missing = names.find((name, i) => shown[i]?.[0]?.[name] !== sent?.[name]);
	if (missing !== undefined) throw poolerError(`does not pass on the setting ${missing}`);
};

const refuseSharedSessions = async (client: Client, other: Client): Promise<void> => {
	const session = await sessionOf(client);
	// Differs where sessions take turns.
	const next = await sessionOf(client);
	const isShared = await other.begin(async (busy) => {
		// A pooler that reuses its last session gives both clients the same. The first then gets another.
		return (await sessionOf(busy)) === session || (await sessionOf(client)) !== session;
	});
	if (next !== session || isShared) {
		throw poolerError('does not keep a session for each connection');
	}
};

const sessionOf = async (client: ISql): Promise<unknown> => {
	const [row] = await client.unsafe('select pg_backend_pid() as pid');
	return row?.['pid'];
};

const poolerError = (what: string): OperatorError =>
	new OperatorError(
		`DATABASE_URL: it leads to a connection pooler, which ${what}. Connect to PostgreSQL directly`
	);

/** PgBouncer's code when it refuses a connection, in every mode: it knows few settings. */
const REFUSED = '08P01';
