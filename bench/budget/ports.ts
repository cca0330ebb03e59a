import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { sqlThrottle } from '#lib/adapters/sql/limits/throttle.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import {
	defaultPolicy,
	withEmailBudget,
	type AuthPolicy,
	type Email,
	type Network,
	type SendProof
} from '#lib/domain/index.ts';
import { startPostgres } from '../../tests/support/postgres/cluster.ts';
import { spreadOf } from '../statistics.ts';
import { singleRowThrottle } from './single-row.ts';

const PROCESSES = 2;
/** Concurrent sends of each process. */
const CONCURRENT = 8;
const SECONDS = 3;
const ROUNDS = 5;

const LIMIT = 5_000_000;

interface Variant {
	readonly limit: AuthPolicy['budget']['limit'];
	/** From how many networks the sends come. */
	readonly networks: number;
	/** The rows that hold the emails of an hour. */
	readonly rows: 16 | 1;
}

const VARIANTS: Readonly<Record<string, Variant>> = {
	off: { limit: 'off', networks: 1e6, rows: 16 },
	'no limit': { limit: 'none', networks: 1e6, rows: 16 },
	'a limit': { limit: LIMIT, networks: 1e6, rows: 16 },
	'a limit, in one row': { limit: LIMIT, networks: 1e6, rows: 1 },
	'a limit, all from one network': { limit: LIMIT, networks: 1, rows: 16 }
};

const variantOf = (name: string): Variant => {
	const variant = VARIANTS[name];
	if (variant === undefined) throw new Error(`there is no variant ${name}`);
	return variant;
};

/** In a child process: sends to new mailboxes for some seconds, and prints how many a second. */
export const countSends = async (url: string, name: string): Promise<void> => {
	const { limit, networks, rows } = variantOf(name);
	const policy = withEmailBudget(defaultPolicy, limit);
	const sql = await openPostgres(url);
	const throttle = rows === 1 ? singleRowThrottle(sql) : sqlThrottle(sql);
	const proof = (): SendProof => {
		const now = Date.now();
		const [issuedAt, expiresAt] = [new Date(now), new Date(now + 300_000)];
		return { kind: 'work', id: randomUUID(), level: 7, issuedAt, expiresAt };
	};
	let sent = 0;
	const began = performance.now();
	const until = began + SECONDS * 1000;
	const send = async (): Promise<void> => {
		while (performance.now() < until) {
			const email = `${randomUUID()}@example.com` as Email;
			const network = String((Math.random() * networks) | 0) as Network;
			const about = { email, now: new Date(), knownAs: null, network, proof: proof() };
			const { kind } = await throttle.hit(about, policy);
			if (kind !== 'allowed') throw new Error(`a send was refused: ${kind}`);
			sent += 1;
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT }, send));
	console.log((sent * 1000) / (performance.now() - began));
	await sql.close();
};

const rateOf = async (url: string, variant: string): Promise<number> => {
	const script = new URL('../budget.ts', import.meta.url).pathname;
	const children = Array.from({ length: PROCESSES }, async () => {
		const child = spawn(process.execPath, [script, url, variant], {
			stdio: ['ignore', 'pipe', 'inherit']
		});
		const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
		if (code !== 0) throw new Error(`${variant}: a process ended with ${code}`);
		return Number(printed);
	});
	return (await Promise.all(children)).reduce((sum, rate) => sum + rate, 0);
};

/** Counting alone, without a server and without emails. */
export const measurePorts = async (): Promise<void> => {
	const server = await startPostgres({ fsync: true });
	try {
		const names = Object.keys(VARIANTS);
		const rates = new Map<string, number[]>(names.map((name) => [name, []]));
		// The variants alternate, so that a slower moment of the machine affects all.
		for (let round = 0; round < ROUNDS; round += 1) {
			for (const name of names) {
				rates.get(name)?.push(await rateOf(await server.createDatabase(), name));
			}
		}
		const { median: off } = spreadOf(rates.get('off') ?? []);
		console.log('| Budget | Sends/s | To off |');
		console.log('| --- | --- | --- |');
		for (const name of names) {
			const { median, min, max } = spreadOf(rates.get(name) ?? []);
			const range = `${median.toFixed(0)} (${min.toFixed(0)}–${max.toFixed(0)})`;
			console.log(`| ${[name, range, (median / off).toFixed(2)].join(' | ')} |`);
		}
	} finally {
		await server.stop();
	}
};
