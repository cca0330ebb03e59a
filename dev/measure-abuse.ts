import { parseArgs } from 'node:util';
import { ensureBuild } from '../bin/fresh-build.ts';
import { startPostgres } from '../tests/support/postgres/cluster.ts';
import { createTimedDatabase } from '../tests/support/postgres/time.ts';
import { flood, floodWithProofs, guesses, oneAddress } from './abuse/rules.ts';
import { measure } from './abuse/site.ts';

// Runs attackers against the built server, with simulated client addresses. For each limit, prints
// what was tried, what got through, and what honest callers got. Checks nothing: the tests do.

const { values } = parseArgs({
	options: {
		/** `sqlite` or `postgres`. */
		on: { type: 'string', default: 'sqlite' }
	}
});

ensureBuild(console.log);
const postgres = values.on === 'postgres' ? await startPostgres() : null;
try {
	for (const rule of [oneAddress, flood, floodWithProofs, guesses]) {
		await measure(rule, postgres === null ? undefined : await createTimedDatabase(postgres.url));
	}
} finally {
	await postgres?.stop();
}
process.exit();
