import { setTimeout as pause } from 'node:timers/promises';
import { startBuiltServer, type BuiltServer } from '../../tests/support/process/built-server.ts';
import {
	bearer,
	call,
	inBatches,
	ME,
	OUT,
	signIn,
	times
} from '../../tests/support/http/client.ts';
import { CACHE, cacheIn, liveJar } from '../../tests/support/http/cookie-jar.ts';
import { openTcpGate } from '../../tests/support/process/tcp.ts';
import { atMost, ENGINES, withServer, type Measure } from './kit.ts';

// E06: how long a process accepts a session that another process on the same database has signed out.
// Requests follow each other without a pause, from before the sign-out until one is refused.

const ROUNDS = 100;
/** Each takes seconds, until the connections work again. */
const SILENT_ROUNDS = 10;
/** In milliseconds. */
const BOUND = 1000;
/** The sign-out is delayed by up to this, to meet the other process's timers at any moment. */
const SPREAD = 600;

let people = 0;

/** Milliseconds from the sign-out response to the last request that was still accepted. */
const believedFor = async (
	server: BuiltServer,
	other: BuiltServer,
	way: 'cookies' | 'bearer',
	silence = (): void => undefined
): Promise<number> => {
	const person = await signIn(server, `person-${(people += 1)}@example.com`);
	let cookie = await liveJar(other, person);
	let believedAt = 0;
	const replay = async (): Promise<void> => {
		for (;;) {
			const sentAt = performance.now();
			const headers = way === 'cookies' ? { cookie } : bearer(person.token);
			const answer = await call(other, ME, { headers });
			if (!answer.text.includes(person.email)) return;
			believedAt = sentAt;
			const cache = cacheIn(answer);
			if (cache !== null) cookie = `${person.cookie}; ${CACHE}=${cache}`;
		}
	};
	const refused = replay();
	await pause(Math.random() * SPREAD);
	silence();
	const { status } = await call(server, OUT, { json: {}, headers: bearer(person.token) });
	const acknowledged = performance.now();
	if (status !== 200) throw new Error(`not signed out: ${status}`);
	await refused;
	return Math.max(0, believedAt - acknowledged);
};

const worstOf = async (rounds: number, round: () => Promise<number>): Promise<number> =>
	Math.max(...(await inBatches(times(rounds, Number), 1, round)));

export const revocation: Measure = async (report) => {
	for (const engine of ENGINES) {
		await withServer(engine, {}, async (server) => {
			const other = await startBuiltServer({ databaseUrl: server.databaseUrl });
			for (const way of ['cookies', 'bearer'] as const) {
				const worst = await worstOf(ROUNDS, () => believedFor(server, other, way));
				report(atMost(`a replay by ${way}, the worst of ${ROUNDS}, ${engine}`, worst, BOUND));
			}
			await other.stop();
		});
	}
	await withServer('PostgreSQL', {}, async (server) => {
		const url = new URL(server.databaseUrl);
		const gate = await openTcpGate(Number(url.port));
		url.port = String(gate.port);
		const other = await startBuiltServer({ databaseUrl: url.href });
		const worst = await worstOf(SILENT_ROUNDS, async () => {
			const took = await believedFor(server, other, 'cookies', gate.freeze);
			gate.thaw();
			return took;
		});
		const what = `the same, when its connections fall silent, the worst of ${SILENT_ROUNDS}`;
		report(atMost(what, worst, BOUND));
		await other.stop();
		await gate.shut();
	});
};
