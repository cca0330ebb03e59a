import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections. A connection could take one of those
 * between the check and the use. Each process uses a range of its own, chosen by its process id, and
 * starts at a random port in it. So two processes hardly ever find the same port.
 */
const FIRST = 12_000;
const STRETCHES = 190;
const STRETCH = 100;

let next = randomInt(STRETCH);

/** A free TCP port of the loopback interface. */
export const freePort = async (): Promise<number> => {
	for (let tries = 0; tries < STRETCH; tries += 1) {
		const port = FIRST + (process.pid % STRETCHES) * STRETCH + (next % STRETCH);
		next += 1;
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
