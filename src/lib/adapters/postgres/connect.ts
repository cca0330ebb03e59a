import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type { Options, Sql as Client } from 'postgres';
import { databaseAccess, isSocket, type DatabaseAccess } from '#lib/config/database.ts';
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
	const { host, port } = access;
	// Lists, which the type of `Options` lacks: the driver would split an IPv6 address at its colons.
	const server: object = isSocket(host)
		? { path: `${host}/.s.PGSQL.${port}` }
		: { host: [host], port: [port] };
	const target = { ...server, ssl: tlsOptions(access) };
	return (options) => connect(url, { ...options, ...target });
};

const byDefault = (url: string): DatabaseAccess => {
	const decided = databaseAccess({ DATABASE_URL: url });
	if (decided.ok) return decided.value;
	throw new OperatorError(`DATABASE_URL: ${decided.error}`);
};

const tlsOptions = ({ host, tls }: DatabaseAccess): ConnectionOptions | false =>
	tls !== null && {
		// Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
		rejectUnauthorized: true,
		...(tls.ca === null ? {} : { ca: tls.ca }),
		// The driver gives no host name for an IP address, and Node then checks for "localhost".
		checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate)
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
