import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections: one of those may be taken by any
 * connection between looking and listening. Each process asks in a stretch of its own, unless their
 * numbers are 190 apart, and begins anywhere in it, so that two that look at the same moment do not
 * find the same one.
 */
const FIRST = 12_000;
const STRETCHES = 190;
const STRETCH = 100;

let asked = randomInt(STRETCH);

/** A free TCP port of the loopback interface. */
export const freePort = async (): Promise<number> => {
	for (let tries = 0; tries < STRETCH; tries += 1) {
		const port = FIRST + (process.pid % STRETCHES) * STRETCH + (asked % STRETCH);
		asked += 1;
		if (await isFree(port)) return port;
	}
	throw new Error('no free port');
};

const isFree = (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const probe = createServer();
		probe.once('error', () => resolve(false));
		probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
	});
