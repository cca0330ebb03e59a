import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../bench/statistics.ts';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import {
	attack,
	cookieFrom,
	fire,
	PUBLIC_PAGES,
	worstShots,
	type Attack
} from './attacking-process.ts';
import { halfSentBodies } from './half-sent.ts';
import { call, ME, nextClient, signIn, times } from '../../tests/support/http/client.ts';
import { atMost, withServer, type Measure } from './kit.ts';

// R01 to R03: how long other clients wait while some send what costs the server most.

const MILLISECONDS = 10_000;

/** The 99th percentile of get-session of three other clients during an attack. */
const p99 = async (server: BuiltServer, order: Omit<Attack, 'address' | 'milliseconds'>) => {
	const { cookie } = await signIn(server);
	const took: number[] = [];
	let done = false;
	const others = times(3, async () => {
		while (!done) {
			const began = performance.now();
			const { status } = await call(server, ME, { headers: { cookie } });
			if (status !== 200) throw new Error(`get-session: ${status}`);
			took.push(performance.now() - began);
			await pause(10);
		}
	});
	await attack({ ...order, address: server.address, milliseconds: MILLISECONDS });
	done = true;
	await Promise.all(others);
	return percentile(took, 0.99);
};

/** The slowest of the worst requests, alone: the best of five tries, in milliseconds. */
const slowestAlone = async ({ address }: BuiltServer): Promise<number> => {
	const cookie = await cookieFrom(address, nextClient());
	const best: number[] = [];
	for (const shot of worstShots(address)) {
		const took: number[] = [];
		for (let tries = 0; tries < 5; tries += 1) {
			const began = performance.now();
			await fire(address, nextClient(), cookie, shot);
			took.push(performance.now() - began);
		}
		best.push(Math.min(...took));
	}
	return Math.max(...best);
};

/** R01 */
export const worstRequests: Measure = (report) =>
	withServer('SQLite', {}, async (server) => {
		report(atMost('the slowest of the worst requests, alone', await slowestAlone(server), 50));
		const what = 'bodies and pages';
		const time = await p99(server, { with: what, clients: 16, pages: PUBLIC_PAGES });
		report(atMost(`p99 of other clients, 16 clients: ${what}`, time, 250));
	});

/** R02 */
export const halfSent: Measure = (report) =>
	withServer('SQLite', {}, async (server) => {
		const { grown, whole, inTwo } = await halfSentBodies(server);
		report({
			what: 'memory of 800 half-sent bodies, with an honest POST in one piece and in two',
			measured: `${grown.toFixed(0)} MB, answers ${whole} and ${inTwo}`,
			bound: '100 MB, 200 and 200',
			isMet: grown <= 100 && whole === 200 && inTwo === 200
		});
	});

/** R03 */
export const pageFlood: Measure = (report) =>
	withServer('SQLite', {}, async (server) => {
		const time = await p99(server, { with: 'pages', clients: 30, pages: PUBLIC_PAGES });
		report(atMost('p99 of other clients, 30 clients: all public pages, HEAD and GET', time, 250));
	});
