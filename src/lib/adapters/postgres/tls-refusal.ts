import { connect } from 'node:net';
import type { DatabaseAccess, DatabaseServer } from '#lib/config/database.ts';
import { OperatorError } from '../sql/operator-error.ts';
import { storeFault } from '../sql/sql.ts';

/** The protocol's request for TLS. The server answers with one byte. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const NO = 'N'.charCodeAt(0);
/** In milliseconds. The server answered a moment ago, so it responds quickly. */
const PATIENCE = 2000;

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
		const socket = connect({ host, port, timeout: PATIENCE });
		const done = (refuses: boolean): void => {
			resolve(refuses);
			socket.destroy();
		};
		socket.once('connect', () => socket.write(SSL_REQUEST));
		socket.once('data', (answer) => done(answer[0] === NO));
		for (const event of ['timeout', 'error', 'close']) socket.once(event, () => done(false));
	});
