import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type { Options, Sql as Client } from 'postgres';
import {
	databaseAccess,
	isSocket,
	type DatabaseAccess,
	type DatabaseServer
} from '#lib/config/database.ts';
import { OperatorError } from '#lib/operator-messages.ts';

export type Connect = (options: Options<Record<string, never>>) => Client;

/**
 * Creates every connection of Postern, so that all have the same protection. Without a decision
 * about TLS, the default applies: certificates are verified on every connection to another
 * machine.
 *
 * @throws OperatorError when the URL asks for less
 */
export const connectorTo = async (
	url: string,
	access: DatabaseAccess = byDefault(url)
): Promise<Connect> => {
	// Imported here, so that an installation on SQLite does not load a second driver.
	const { default: connect } = await import('postgres');
	// These settings override the URL and the environment.
	const target = { ...whereTo(access.servers), ssl: tlsOptions(access) };
	return (options) => connect(url, { ...options, ...target });
};

const byDefault = (url: string): DatabaseAccess => {
	const decided = databaseAccess({ DATABASE_URL: url });
	if (decided.ok) return decided.value;
	throw new OperatorError(`DATABASE_URL: ${decided.error}`);
};

/**
 * Passes lists, although the type of `Options` names single values (the driver's `BaseOptions`
 * has both). In a text, the driver would split IPv6 addresses at their colons.
 */
const whereTo = (servers: readonly DatabaseServer[]): object => {
	const [first] = servers;
	if (first !== undefined && isSocket(first)) {
		return { path: `${first.host}/.s.PGSQL.${first.port}` };
	}
	return { host: servers.map(({ host }) => host), port: servers.map(({ port }) => port) };
};

const tlsOptions = ({ servers, tls }: DatabaseAccess): ConnectionOptions | false => {
	if (tls === null) return false;
	const hosts = servers.map(({ host }) => host);
	const addresses = hosts.filter((host) => isIP(host) !== 0);
	return {
		// Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
		rejectUnauthorized: true,
		...(tls.ca === null ? {} : { ca: tls.ca }),
		checkServerIdentity: (name, certificate) => {
			// The driver gives no host name for an IP address, and Node then checks for "localhost".
			if (hosts.includes(name)) return checkServerIdentity(name, certificate);
			const faults = addresses.map((address) => checkServerIdentity(address, certificate));
			const isValid = faults.includes(undefined);
			return isValid ? undefined : (faults[0] ?? checkServerIdentity(name, certificate));
		}
	};
};

/** Settings of every connection. They override the defaults of server, database and role. */
export const sessionSettings = {
	application_name: 'postern',
	// A statement must see rows that were committed before it. Under a stricter level, the losers of a
	// race would get an error instead of no rows.
	default_transaction_isolation: 'read committed',
	DateStyle: 'ISO',
	TimeZone: 'UTC'
} as const;
