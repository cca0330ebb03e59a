import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
	askForTime,
	startBuiltServer,
	type BuiltServer
} from '../../support/process/built-server.ts';
import { runScript } from '../../support/process/run-program.ts';
import { createTimedDatabase } from '../../support/postgres/time.ts';
import {
	call,
	freshCode,
	ME,
	newAddress,
	sendCode,
	signIn,
	times,
	verifyCode
} from '../../support/http/client.ts';
import { cacheIn, liveJar } from '../../support/http/cookie-jar.ts';
import type { Engine } from '../../support/http/open-fixture.ts';
import { dropDatabase } from '../../support/postgres/cluster.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** How far the clock of the second server’s machine is ahead, in seconds. */
const SKEW = 30;
/**
 * Lifetimes of a code, of the send counts of an address, of a session and of its cache, in
 * seconds.
 */
const CODE = 600;
const WINDOW = 900;
const SESSION = 60 * DAY;
const CACHED = 300;
/** The longest time a test may take between two of its own moments, in seconds. */
const SLACK = 5;

describe.each<Engine>(['PostgreSQL', 'SQLite'])('clocks on %s', (engine) => {
	const onPostgres = engine === 'PostgreSQL';
	const servers: BuiltServer[] = [];
	let created: string | undefined;
	const at = (index: number): BuiltServer => {
		const server = servers[index % 2];
		if (server === undefined) throw new Error('the server has not started');
		return server;
	};

	beforeAll(async () => {
		if (onPostgres) created = await createTimedDatabase(inject('postgresUrl'));
		for (const ahead of [0, SKEW]) {
			const databaseUrl = servers[0]?.databaseUrl ?? created;
			servers.push(
				await startBuiltServer({
					env: { TEST_CLOCK_AHEAD: String(ahead) },
					...(databaseUrl !== undefined && { databaseUrl })
				})
			);
		}
	});
	afterAll(async () => {
		for (const server of servers.toReversed()) await server.stop();
		if (created !== undefined) await dropDatabase(inject('postgresUrl'), created);
	});

	/** Moves time forward for both, each with its own clock. */
	const until = async (seconds: number): Promise<void> => {
		if (onPostgres) {
			await at(0).shiftClock(seconds);
			await askForTime(at(1).address);
		} else {
			await at(0).setMachineClock(seconds);
			await at(1).setMachineClock(seconds + SKEW);
		}
	};
	const isSignedIn = async (server: BuiltServer, cookie: string): Promise<boolean> => {
		const path = `${ME}?disableRefresh=true&disableCookieCache=true`;
		return (await call(server, path, { headers: { cookie } })).text !== 'null';
	};
	const isCacheAccepted = async (server: BuiltServer, jar: string): Promise<boolean> =>
		cacheIn(await call(server, `${ME}?disableRefresh=true`, { headers: { cookie: jar } })) === null;

	/** Whether each server still accepts something just before and just after its expiry. */
	const ends = async (
		lifetime: number,
		accepts: (server: BuiltServer, moment: number) => Promise<boolean>
	): Promise<readonly boolean[][]> => {
		const accepted: boolean[][] = [];
		for (const [moment, seconds] of [lifetime - SLACK, lifetime + 1].entries()) {
			await until(seconds);
			accepted.push([await accepts(at(0), moment), await accepts(at(1), moment)]);
		}
		await until(0);
		return accepted;
	};
	const AGREED = [
		[true, true],
		[false, false]
	];

	/** When each kind of lifetime that the first server starts ends on both servers. */
	const spans: Record<string, () => Promise<readonly boolean[][]>> = {
		code: async () => {
			const emails = times(4, () => newAddress());
			const codes = await Promise.all(emails.map((email) => freshCode(at(0), email)));
			let used = 0;
			return ends(CODE, async (server) => {
				const answer = await verifyCode(server, emails[used] ?? '', codes[used] ?? '');
				used += 1;
				return answer.status === 200;
			});
		},
		throttle: async () => {
			const email = newAddress();
			for (let send = 0; send < 5; send += 1) await freshCode(at(0), email);
			return ends(WINDOW, async (server) => (await sendCode(server, email)).status === 429);
		},
		session: async () => {
			const { cookie } = await signIn(at(0));
			return ends(SESSION, (server) => isSignedIn(server, cookie));
		}
	};

	if (onPostgres) {
		test.each(Object.keys(spans))(
			'M13 two machines 30 s apart agree 5 s before and 1 s after the end of a %s',
			async (name) => {
				expect(await spans[name]?.()).toEqual(AGREED);
			}
		);

		test('R11 no clock decides how old a session cache is', async () => {
			const user = await signIn(at(0));
			await liveJar(at(1), user);
			const jar = await liveJar(at(0), user);
			expect(await ends(CACHED, (server) => isCacheAccepted(server, jar))).toEqual([
				[true, true],
				[true, true]
			]);
		});
	}

	/** What the pruning task says when it removed so many codes and send counts, and nothing valid. */
	const removed = (count: string): RegExp =>
		new RegExp(
			`removed ${count} throttle rows, ${count} codes, 0 sessions, 0 devices, \\d+ counts, \\d+ proofs, 0 email undos, 0 events, 0 oidc records, 0 failed emails$`
		);
	/** Runs it by hand, on a machine whose clock is that far ahead. */
	const prune = async (ahead: number): Promise<string> => {
		const env = { TEST_CLOCK_AHEAD: String(ahead) };
		return (await runScript(at(0), 'task', ['auth:prune-throttle'], { env })).stdout.trim();
	};

	/** A pending code, an address that has used its five sends, and a signed-in user. */
	const begin = async () => {
		const [pending, full] = [newAddress(), newAddress()];
		const user = await signIn(at(0));
		for (let send = 0; send < 5; send += 1) await freshCode(at(0), full);
		return { pending, full, cookie: user.cookie, code: await freshCode(at(0), pending) };
	};

	test(`M13 manual pruning with the clock a day ahead or behind keeps valid sessions${onPostgres ? ', codes and send counts' : ''}`, async () => {
		const { pending, full, cookie, code } = await begin();
		expect(await prune(-DAY)).toMatch(removed('0'));
		expect(await prune(DAY)).toMatch(removed(onPostgres ? '0' : '\\d+'));
		expect(await isSignedIn(at(0), cookie)).toBe(true);
		const [codeWorks, sendWorks] = [
			(await verifyCode(at(0), pending, code)).status,
			(await sendCode(at(0), full)).status
		];
		// SQLite has no other clock, so this pruning removed the code and the send counts.
		expect([codeWorks, sendWorks]).toEqual(onPostgres ? [200, 429] : [400, 200]);
	});
});
