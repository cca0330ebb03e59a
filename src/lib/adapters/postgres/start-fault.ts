import { storeFault } from '../sql/sql.ts';
import { OperatorError } from '#lib/operator-messages.ts';

/**
 * A database or a network that may still be starting: containers start in any order. These are the
 * codes of the system, of the driver, and of a server that starts, stops or has no free connection.
 */
const TRANSIENT =
	/^(?:E(?!RR_|PROTO)[A-Z_]+|CONNECT_TIMEOUT|CONNECTION_CLOSED|NO_ANSWER|57P0[123]|53300)$/;

/** A sentence about what is wrong, and one about how to fix it. TLS reports its own codes. */
const LINES: readonly (readonly [codes: RegExp, line: string])[] = [
	[
		/^28P01$/,
		'PostgreSQL refused the user or the password. Correct them, here or in PGUSER and PGPASSWORD'
	],
	[
		/^28000$/,
		'PostgreSQL does not allow this user to connect from here. Correct the user, or the pg_hba.conf of the server'
	],
	[/^3D000$/, 'there is no database of this name. Create it, or correct the name'],
	[/^42501$/, 'this user may not create tables. Make it the owner of the database'],
	[/^25006$/, 'this server is read-only. Use the primary'],
	[
		/^(?:ERR_INVALID_URL|URIError)$/,
		'it is not a valid URL. In user and password, write @ : / # and % as %40 %3A %2F %23 and %25'
	],
	[
		/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
		'the certificate of PostgreSQL is for another host. Use the host name in the certificate'
	],
	[
		/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
		'the certificate of PostgreSQL has expired or is not valid yet. Renew it, or correct the clock'
	],
	[
		/^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_|PATH_LENGTH_EXCEEDED)/,
		'the certificate of PostgreSQL is not from a trusted authority. Set DATABASE_CA to the file with the certificate of its authority'
	],
	[/^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/, 'TLS with PostgreSQL failed. See the log of PostgreSQL'],
	[
		// The driver starts TLS whatever the server answers. A server without TLS closes the connection.
		/^ECONNRESET$/,
		'PostgreSQL closed the connection. Start it. If it has no TLS, turn TLS on (ssl = on), or set DATABASE_TLS=off if nobody else can read the network between the machines'
	],
	[TRANSIENT, 'PostgreSQL cannot be reached. Start it, or correct the host and the port'],
	[/./, 'PostgreSQL cannot be used. See the log of PostgreSQL']
];

export const isTransient = (error: unknown): boolean => TRANSIENT.test(storeFault(error).reason);

/** A line for the operator. It contains no part of the URL, because the URL holds the password. */
export const startFault = (error: unknown): OperatorError => {
	if (error instanceof OperatorError) return error;
	const { reason } = storeFault(error);
	const line = LINES.find(([codes]) => codes.test(reason))?.[1] ?? '';
	return new OperatorError(`DATABASE_URL: ${line.replace('. ', ` (${reason}). `)}`);
};

export const fail = (error: unknown): never => {
	throw startFault(error);
};
