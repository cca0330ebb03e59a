import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import { deviceLookupsAtPort, lookupsAtPort, lookupsThroughServer } from './scale/lookups.ts';
import { makePair, type Engine } from './scale/pair.ts';
import { measurePrune } from './scale/prune.ts';
import { describe, heading } from './scale/rounds.ts';
import { sendsAtPort, sendsThroughServer } from './scale/sends.ts';

/**
 * Measures whether a million rows make Postern slower: lookups of sessions and devices, counting and
 * sending codes, and all requests while the daily tasks remove a million rows. Prints tables. Sets
 * the exit code when a request fails or takes too long or a row is wrong, but not for a missed
 * ratio.
 */
export const scale = async (args: readonly string[]): Promise<void> => {
	const { values } = parseArgs({
		args: [...args],
		options: {
			/** `sqlite`, `postgres` or both. */
			on: { type: 'string', default: 'both' },
			/** `lookup`, `send`, `prune` or all. */
			only: { type: 'string', default: 'all' },
			rows: { type: 'string', default: '1000000' },
			/** The rows of the small database, for comparison. */
			small: { type: 'string', default: '1000' },
			rounds: { type: 'string', default: '15' },
			/** Deleted accounts to purge, in addition to the rows to prune. */
			accounts: { type: 'string', default: '100000' },
			/** Rows of each kind that the tasks must keep. */
			living: { type: 'string', default: '5000' },
			/** Which process runs the tasks: `hand` (a second process), `server` (at 03:00), or `both`. */
			by: { type: 'string', default: 'both' },
			/** Seconds of requests before the tasks start. */
			calm: { type: 'string', default: '60' }
		}
	});
	const engines = (['SQLite', 'PostgreSQL'] as const).filter(
		(engine) => values.on === 'both' || engine.toLowerCase().startsWith(values.on)
	);
	const isWanted = (part: string): boolean => ['all', part].includes(values.only);
	for (const line of [...describeMachine(), '']) console.log(line);
	const rows = Number(values.rows);
	const growth = { small: Number(values.small), large: rows, rounds: Number(values.rounds) };
	for (const engine of engines) {
		const parts = { lookup: isWanted('lookup'), send: isWanted('send') };
		if (parts.lookup || parts.send) await measureGrowth(engine, growth, parts);
	}
	if (!isWanted('prune')) return;
	await measurePrune(engines, {
		rows,
		accounts: Number(values.accounts),
		living: Number(values.living),
		ways: (['hand', 'server'] as const).filter((way) => [way, 'both'].includes(values.by)),
		calm: Number(values.calm)
	});
};

const measureGrowth = async (
	engine: Engine,
	{ rounds, ...sizes }: { readonly small: number; readonly large: number; readonly rounds: number },
	parts: { readonly lookup: boolean; readonly send: boolean }
): Promise<void> => {
	const pair = await makePair(engine, sizes);
	try {
		for (const line of heading(pair)) console.log(line);
		if (parts.lookup) {
			console.log(describe(await lookupsAtPort(pair, rounds)));
			console.log(describe(await deviceLookupsAtPort(pair, rounds)));
			for (const what of ['guarded route, without caches', 'guarded route, with caches'] as const)
				console.log(describe(await lookupsThroughServer(what, pair, rounds)));
		}
		if (parts.send) {
			console.log(describe(await sendsAtPort(pair, rounds)));
			for (const what of ['send code', 'send code, with a device key'] as const)
				console.log(describe(await sendsThroughServer(what, pair, rounds)));
		}
		console.log();
	} finally {
		await pair.stop();
	}
};
