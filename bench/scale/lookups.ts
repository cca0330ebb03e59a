import { randomInt } from 'node:crypto';
import { startPostern } from '../server-process.ts';
import { drive } from './drive.ts';
import { openStorage, type Pair } from './pair.ts';
import { compare, type Comparison } from './rounds.ts';
import { addressOfUser, deviceHashOf, hashOf, tokenOf } from './rows.ts';

const AT_THE_PORT = 5000;
const THROUGH_THE_SERVER = 5000;
const CONNECTIONS = 16;

/** Calls `Sessions.find` with the hashes of random sessions, one after another. */
export const lookupsAtPort = (pair: Pair, rounds: number): Promise<Comparison> =>
	compare('session lookup at the port', pair, rounds, async ({ databaseUrl, rows }) => {
		const { sessions, close } = await openStorage(databaseUrl);
		const now = new Date();
		const round = async (): Promise<number> => {
			const hashes = Array.from({ length: AT_THE_PORT }, () => hashOf(randomInt(rows)));
			const began = performance.now();
			for (const hash of hashes) {
				if ((await sessions.find(hash, now)) === null) throw new Error('a session is missing');
			}
			return ((performance.now() - began) * 1000) / hashes.length;
		};
		return { round, close };
	});

/** Calls `Devices.knownAccount` for random devices of their account, and for keys of nobody. */
export const deviceLookupsAtPort = (pair: Pair, rounds: number): Promise<Comparison> =>
	compare('device lookup at the port', pair, rounds, async ({ databaseUrl, rows }) => {
		const { devices, close } = await openStorage(databaseUrl);
		const round = async (): Promise<number> => {
			// Every second number is beyond the rows.
			const lookups = Array.from({ length: AT_THE_PORT }, (_, turn) => {
				const number = randomInt(rows) + (turn % 2) * rows;
				return { number, hash: deviceHashOf(number), email: addressOfUser(number, rows) };
			});
			const began = performance.now();
			for (const { number, hash, email } of lookups) {
				const account = await devices.knownAccount(hash, email);
				if ((account !== null) !== number < rows) throw new Error('a device is wrong');
			}
			return ((performance.now() - began) * 1000) / lookups.length;
		};
		return { round, close };
	});

/** With the parameter that bypasses the caches, and without it. */
const ROUTES = {
	'guarded route, without caches': '/api/hello?disableCookieCache=true',
	'guarded route, with caches': '/api/hello'
} as const;

/**
 * Requests a guarded route with the bearer tokens of random sessions. With caches, the process caches
 * all sessions of the small database and few of the large one. So only the requests without caches
 * compare lookups.
 */
export const lookupsThroughServer = (
	what: keyof typeof ROUTES,
	pair: Pair,
	rounds: number
): Promise<Comparison> =>
	compare(what, pair, rounds, async ({ databaseUrl, rows }) => {
		const { url, stop } = await startPostern({ databaseUrl });
		const round = (): Promise<number> =>
			drive({
				url,
				path: ROUTES[what],
				amount: THROUGH_THE_SERVER,
				connections: CONNECTIONS,
				next: () => ({ headers: { authorization: `Bearer ${tokenOf(randomInt(rows))}` } })
			});
		return { round, close: stop };
	});
