import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import {
	defaultPolicy,
	withEmailBudget,
	type AuthPolicy,
	type Email,
	type Network,
	type SendProof
} from '#lib/domain/index.ts';
import { startPostgres } from '../tests/support/postgres/cluster.ts';
import { openStorage } from './scale/pair.ts';

// Measures how many sends a second two processes count on one PostgreSQL, with and without the
// budget of the site. Run it with: node bench/budget.ts

const PROCESSES = 2;
/** Concurrent sends of each process. */
const CONCURRENT = 8;
const SECONDS = 3;
const ROUNDS = 5;

const VARIANTS = {
	off: { limit: 'off', networks: Infinity },
	'no limit': { limit: 'none', networks: Infinity },
	'a limit': { limit: 5_000_000, networks: Infinity },
	'a limit, all from one network': { limit: 5_000_000, networks: 1 }
} as const satisfies Record<string, { limit: AuthPolicy['budget']['limit']; networks: number }>;

type Variant = keyof typeof VARIANTS;

const isVariant = (name: string): name is Variant => Object.hasOwn(VARIANTS, name);

/** A child: sends to new mailboxes for some seconds, and prints how many a second. */
const count = async (url: string, variant: Variant): Promise<void> => {
	const { limit, networks } = VARIANTS[variant];
	const policy = withEmailBudget(defaultPolicy, limit);
	const { throttle, close } = await openStorage(url);
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
			const network = String((Math.random() * Math.min(networks, 1e6)) | 0) as Network;
			const about = { email, now: new Date(), knownAs: null, network, proof: proof() };
			const { kind } = await throttle.hit(about, policy);
			if (kind !== 'allowed') throw new Error(`a send was refused: ${kind}`);
			sent += 1;
		}
	};
	await Promise.all(Array.from({ length: CONCURRENT }, send));
	console.log((sent * 1000) / (performance.now() - began));
	await close();
};

const rateOf = async (url: string, variant: Variant): Promise<number> => {
	const children = Array.from({ length: PROCESSES }, async () => {
		const child = spawn(process.execPath, [import.meta.filename, url, variant], {
			stdio: ['ignore', 'pipe', 'inherit']
		});
		const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
		return Number(printed);
	});
	return (await Promise.all(children)).reduce((sum, rate) => sum + rate, 0);
};

const median = (values: readonly number[]): number =>
	[...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

const measure = async (): Promise<void> => {
	const server = await startPostgres({ fsync: true });
	try {
		const rates = new Map<Variant, number[]>();
		const names = Object.keys(VARIANTS).filter(isVariant);
		// The variants alternate, so that a slower moment of the machine affects all.
		for (let round = 0; round < ROUNDS; round += 1) {
			for (const name of names) {
				const rate = await rateOf(await server.createDatabase(), name);
				rates.set(name, [...(rates.get(name) ?? []), rate]);
			}
		}
		const off = median(rates.get('off') ?? []);
		for (const name of names) {
			const rate = median(rates.get(name) ?? []);
			const ratio = (rate / off).toFixed(2);
			console.log(`${name.padEnd(32)} ${rate.toFixed(0).padStart(6)} sends/s  ratio ${ratio}`);
		}
	} finally {
		await server.stop();
	}
};

const [, , url, variant = ''] = process.argv;
if (url === undefined) await measure();
else if (isVariant(variant)) await count(url, variant);
