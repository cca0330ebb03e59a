import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { storeFault } from '../sql/sql.ts';
import { within } from './pool.ts';
import type { Connector } from './connect.ts';
import { mayPass } from './start-fault.ts';
import { explainReset } from './tls-refusal.ts';

/** Between two tries, in milliseconds. */
const PAUSE = 500;
/** For one try. The driver goes on for ever where a proxy takes the connection and hangs up. */
const TRY = 6000;

/**
 * A connection that has answered. A server that is not up yet is waited for, `patience`
 * milliseconds long, and that is said once; whatever waiting does not mend is thrown at once.
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
			await within(TRY, client`select 1`);
			return client;
		} catch (fault) {
			void client.end({ timeout: 0 });
			const error = await explainReset(fault, access);
			if (patience === 0 || !mayPass(error)) throw error;
			if (tries === 1) {
				const { reason } = storeFault(error);
				say(`the database does not answer yet (${reason}), trying for ${patience / 1000} seconds`);
			}
			if (over.aborted) throw error;
		}
		await pause(PAUSE);
	}
};
