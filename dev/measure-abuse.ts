import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuild } from '../bin/fresh-build.ts';
import { startPostgres } from '../tests/support/postgres/cluster.ts';
import { createTimedDatabase } from '../tests/support/postgres/time.ts';
import { attacksAt, runAttack, type Attack, type Result } from './abuse/attacks.ts';
import { buildBefore } from './abuse/before.ts';
import { measureShare } from './abuse/share.ts';
import { measureSolver } from './abuse/solver.ts';
import { knownPart, printHeadings, printResults } from './abuse/table.ts';

// Runs attackers against the build, with a slow mail server and simulated client addresses. Prints
// what each attack costs and what it does to the owners of accounts. Exits with 1 when a required
// number is missed.

const { values } = parseArgs({
	options: {
		/** The part of the flood over many addresses that is carried out. */
		scale: { type: 'string', default: '0.01' },
		/** The whole flood: 100,000 addresses from 10,000 networks. */
		full: { type: 'boolean', default: false },
		/** A commit, or a folder with its build, for comparison. `none` compares with nothing. */
		before: { type: 'string', default: '5216599' },
		/** `sqlite`, `postgres` or both. */
		on: { type: 'string', default: 'both' },
		/** Only attacks whose names contain this. `share` is the simulation of the budget. */
		attack: { type: 'string', default: '' },
		/** How long the slow mail server takes for an email, in milliseconds. */
		delay: { type: 'string', default: '100' }
	}
});
const scale = values.full ? 1 : Number(values.scale);
const mailDelay = Number(values.delay);

/** The part of the sign-ins with known devices that must succeed in time. */
const REQUIRED = 0.99;

const attacks = attacksAt(scale).filter(({ name }) => name.includes(values.attack));
// The simulation of the budget needs no server.
if (attacks.length > 0) ensureBuild(console.log);
const isCompared = attacks.length > 0 && values.before !== 'none';
const folder = isCompared ? buildBefore(values.before) : null;
const levelZero = await measureSolver();
console.log(
	`Native solver: ${levelZero.toFixed(3)} processor seconds for level 0, on ${availableParallelism()} cores.`
);
if (scale !== 1) console.log(`The flood over many addresses is scaled down to ${scale}.`);
if (folder !== null) console.log(`Cells with an arrow: ${values.before} → this build.`);

const measure = async (
	database: string,
	newDatabase: () => Promise<string | undefined>
): Promise<void> => {
	const run = async (attack: Attack, folder?: string): Promise<Result> => {
		const databaseUrl = await newDatabase();
		const options = {
			mailDelay,
			...(databaseUrl !== undefined && { databaseUrl }),
			...(folder !== undefined && { folder })
		};
		return runAttack(attack, options, levelZero);
	};
	for (const attack of attacks) {
		const before = folder === null ? null : await run(attack, folder);
		const after = await run(attack);
		printResults(attack.name, database, before, after);
		for (const refusal of after.refusals) console.error(`A known device was refused: ${refusal}`);
		if (knownPart(after) < REQUIRED) process.exitCode = 1;
	}
};

if (attacks.length > 0) printHeadings();
if (values.on !== 'postgres') await measure('SQLite', async () => undefined);
if (values.on !== 'sqlite' && attacks.length > 0) {
	const postgres = await startPostgres();
	try {
		await measure('PostgreSQL', () => createTimedDatabase(postgres.url));
	} finally {
		await postgres.stop();
	}
}
if ('share'.includes(values.attack) && !(await measureShare(levelZero))) process.exitCode = 1;
process.exit();
