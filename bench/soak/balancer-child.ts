import { freePort } from '../../tests/support/process/free-port.ts';
import { startBalancer } from '../../tests/support/http/balancer.ts';

// A process that balances requests over the instances and reports undelivered ones to its parent.

/** The time between two reports, in milliseconds. */
const LOOK_EVERY = 500;

const balancer = await startBalancer(await freePort());
let reported = 0;
setInterval(() => {
	const { troubles } = balancer;
	if (troubles.length > reported) process.send?.(troubles.slice(reported));
	reported = troubles.length;
}, LOOK_EVERY);
process.on('message', (ports: readonly number[]) => balancer.serve(ports));
process.on('disconnect', () => process.exit());
process.send?.(balancer.address);
