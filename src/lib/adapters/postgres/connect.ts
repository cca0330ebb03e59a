import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type { Options, Sql as Client } from 'postgres';
import { databaseAccess, isSocket, type DatabaseAccess } from '#lib/config/database.ts';
import { ok } from '#lib/domain/errors.ts';
import { OperatorError } from '#lib/operator-messages.ts';

export type Connect = (options: Options<Record<string, never>>) => Client;

/**
 * Creates every connection of Postern, so that all have the same protection. Without a decision
 * about TLS, the default applies: certificates are verified on every connection to another
 * machine.
 *
 * @throws OperatorError when the URL asks for less
 */
export const connectorTo = async (url: string, access?: DatabaseAccess): Promise<Connect> => {
	const decided = access ? ok(access) : databaseAccess({ DATABASE_URL: url });
	if (!decided.ok) throw new OperatorError(`DATABASE_URL: ${decided.error}`);
	const { host, port, tls } = decided.value;
	// Imported here, so that an installation on SQLite does not load a second driver.
	const { default: connect } = await import('postgres');
	// Lists, which the type of `Options` lacks: the driver would split an IPv6 address at its colons.
	const server: object = isSocket(host)
		? { path: `${host}/.s.PGSQL.${port}` }
		: { host: [host], port: [port] };
	const ssl: ConnectionOptions | false = tls !== null && {
		// Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
		rejectUnauthorized: true,
		...(tls.ca === null ? {} : { ca: tls.ca }),
		// The driver gives no host name for an IP address, and Node then checks for "localhost".
		checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate)
	};
	// These settings override the URL and the environment.
	return (options) => connect(url, { ...options, ...server, ssl });
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
