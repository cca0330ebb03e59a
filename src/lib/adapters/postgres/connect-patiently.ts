import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { storeFault } from '../sql/sql.ts';
import { within } from './pool.ts';
import type { Connector } from './connect.ts';
import { explainPooler, refusePoolers } from './refuse-poolers.ts';
import { isTransient } from './start-fault.ts';
import { explainReset } from './tls-refusal.ts';

/** The pause between two attempts, in milliseconds. */
const PAUSE = 500;
/**
 * The time limit of one attempt. Without it, the driver retries forever when a proxy accepts a
 * connection and closes it.
 */
const TRY = 6000;

/**
 * Returns a connection to the server itself, after it has responded. If the server is not up yet, it
 * waits for `patience` milliseconds and says so once. An error that waiting cannot solve is thrown at
 * once.
 */
export const connectPatiently = async (
	{ access, connect }: Connector,
	options: Parameters<Connector['connect']>[0],
	patience: number,
	say: (line: string) => void = () => undefined
): Promise<Sql> => {
	const over = AbortSignal.timeout(patience);
	for (let tries = 1; ; tries += 1) {
		const client = connect(options);
		try {
			await within(TRY, client.unsafe('select 1'));
			await refusePoolers(client, options, connect);
			return client;
		} catch (fault) {
			void client.end({ timeout: 0 });
			const error = explainPooler(await explainReset(fault, access));
			if (patience === 0 || !isTransient(error)) throw error;
			if (tries === 1) {
				const { reason } = storeFault(error);
				say(
					`the database does not respond yet (${reason}), retrying for ${patience / 1000} seconds`
				);
			}
			if (over.aborted) throw error;
		}
		await pause(PAUSE);
	}
};
