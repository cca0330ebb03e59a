import { connect } from 'node:net';
import type { DatabaseAccess, DatabaseServer } from '#lib/config/database.ts';
import { storeFault } from '../sql/sql.ts';
import { OperatorError } from '#lib/operator-messages.ts';

/** A database or a network that may still be starting: containers start in any order. */
const TRANSIENT: readonly string[] = [
	'ECONNREFUSED',
	'ECONNRESET',
	'EPIPE',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOENT',
	'ENOTFOUND',
	'EAI_AGAIN',
	'CONNECT_TIMEOUT',
	'CONNECTION_CLOSED',
	'NO_ANSWER',
	// The server's codes for: starting up, shutting down, too many connections.
	'57P03',
	'57P01',
	'57P02',
	'53300'
];

const UNREADABLE =
	'it is not a valid URL. In user and password, write @ : / # and % as %40 %3A %2F %23 and %25';

const LINES: Readonly<Record<string, string>> = {
	'28P01': 'PostgreSQL refused the user or the password. Correct them',
	'28000':
		'PostgreSQL does not allow this user to connect from here. Correct the user, or the pg_hba.conf of the server',
	'3D000': 'there is no database of this name. Create it, or correct the name',
	'42501': 'this user may not create tables. Make it the owner of the database',
	'25006': 'this server is read-only. Use the primary',
	ERR_INVALID_URL: UNREADABLE,
	URIError: UNREADABLE
};

/** Faults of the server's certificate. The driver's TLS reports these codes. */
const TLS_LINES: readonly (readonly [RegExp, string])[] = [
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
	[/^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/, 'TLS with PostgreSQL failed. See the log of PostgreSQL']
];

export const tlsFault = (error: unknown): OperatorError | null => {
	const { reason } = storeFault(error);
	const line = TLS_LINES.find(([codes]) => codes.test(reason))?.[1];
	return line === undefined ? null : operatorError(line, reason);
};

const operatorError = (line: string, reason: string): OperatorError =>
	new OperatorError(`DATABASE_URL: ${line.replace('. ', ` (${reason}). `)}`);

export const isTransient = (error: unknown): boolean =>
	TRANSIENT.includes(storeFault(error).reason);

/** A line for the operator. It contains no part of the URL, because the URL holds the password. */
export const startFault = (error: unknown): OperatorError => {
	if (error instanceof OperatorError) return error;
	const tls = tlsFault(error);
	if (tls !== null) return tls;
	const { reason } = storeFault(error);
	const line = isTransient(error)
		? 'PostgreSQL cannot be reached. Start it, or correct the host and the port'
		: (LINES[reason] ?? 'PostgreSQL cannot be used. See the log of PostgreSQL');
	return operatorError(line, reason);
};

/**
 * Null when the cause was the connection or a missing right. For wrong data it is only the code,
 * because the message would quote the data.
 */
export const objectionOf = (error: unknown): string | null => {
	const { reason } = storeFault(error);
	if (!(error instanceof Error) || error.name !== 'PostgresError') return null;
	if (/^(08|53|57)|^(42501|25006)$/.test(reason)) return null;
	return reason.startsWith('22') ? reason : error.message;
};

/** The protocol's request for TLS. The server answers with one byte. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const NO = 'N'.charCodeAt(0);
/** The server answered a moment ago, so it responds quickly. */
const ANSWER_TIMEOUT_MS = 2000;

/**
 * Explains a reset connection. The driver starts TLS whatever the server answers, and a server
 * without TLS then closes the connection. A restarting server does the same, but there waiting
 * helps.
 */
export const explainReset = async (
	error: unknown,
	{ servers, tls }: DatabaseAccess
): Promise<unknown> => {
	if (tls === null || storeFault(error).reason !== 'ECONNRESET') return error;
	const refusals = await Promise.all(servers.map(refusesTls));
	return refusals.includes(true)
		? new OperatorError(
				'DATABASE_URL: PostgreSQL does not support TLS, so nothing was sent. Turn TLS on in PostgreSQL (ssl = on), or set DATABASE_TLS=off if nobody else can read the network between the machines'
			)
		: error;
};

const refusesTls = ({ host, port }: DatabaseServer): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = connect({ host, port, timeout: ANSWER_TIMEOUT_MS });
		const done = (refuses: boolean): void => {
			resolve(refuses);
			socket.destroy();
		};
		socket.once('connect', () => socket.write(SSL_REQUEST));
		socket.once('data', (answer) => done(answer[0] === NO));
		for (const event of ['timeout', 'error', 'close']) socket.once(event, () => done(false));
	});
