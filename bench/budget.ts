import { countSends, measurePorts } from './budget/ports.ts';
import { measureServers } from './budget/servers.ts';

// Measures what the budget of the site costs on one PostgreSQL with two processes, and whether they
// wait for each other. `node bench/budget.ts` counts sends alone, without a server and without
// emails. `node bench/budget.ts --servers` sends codes through two built servers.

const [, , first, variant] = process.argv;
if (first === '--servers') await measureServers();
else if (first === undefined) await measurePorts();
else await countSends(first, variant ?? '');
