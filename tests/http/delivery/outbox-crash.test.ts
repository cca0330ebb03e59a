import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { call, newAddress, rounds, SEND, times } from '../../support/http/client.ts';
import { ENGINES_OF_FORM, present } from '../../support/http/fixtures.ts';
import { openFixture, type Engine, type OpenFixture } from '../../support/http/open-fixture.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import type { BuiltServer } from '../../support/process/built-server.ts';
import {
	complaintsAboutMails,
	signsUp,
	startMailLoad,
	type PromisedMail
} from './promised-emails.ts';
import { startUnreliableSink, type UnreliableSink } from './unreliable-sink.ts';
import { between, newSeed, seeded, type Chance } from '../../support/http/seeded.ts';

const CLIENTS = 6;
/** In the full form 500 rounds on each database, in parts of so many. */
const ROUNDS = rounds(1, 50);
const PARTS = rounds(1, 10);
/** A little longer than a lease, in seconds. */
const LEASE = 61;
/**
 * How long the emails of a part may take, in milliseconds. Killed processes leave some 200 of them
 * behind, and conditional ones start ten a second.
 */
const BACKLOG = 90_000;
/** The share of emails that may arrive twice: the process died before it removed their rows. */
const TWICE = 0.01;
/** How many emails a process sends at the same time. */
const PLACES = 8;

/**
 * Sends everything that still waits, by moving the clock from one lease to the next. No email may be
 * under way when the clock moves: that would end its lease. So the server is stopped first, which waits
 * for them.
 */
const settle = async (
	{ servers, database }: OpenFixture,
	moveClock: (seconds: number) => void
): Promise<void> => {
	const left = (): Promise<readonly Record<string, unknown>[]> =>
		database.rows('select due_at from email_outbox where failed_at is null');
	const count = (): Promise<number> => left().then(({ length }) => length);
	const countDue = async (now: number): Promise<number> =>
		(await left()).filter((row) => new Date(row['due_at'] as number | string).getTime() <= now)
			.length;
	const [server, other] = servers;
	await present(other).stop();
	for (let step = 1; step <= 8 && (await count()) > 0; step += 1) {
		const ahead = (step - 1) * LEASE * 1000;
		await expect.poll(() => countDue(Date.now() + ahead), { timeout: BACKLOG }).toBe(0);
		await present(server).restart();
		moveClock(step * LEASE);
		await present(server).shiftClock(step * LEASE);
		// Wakes the worker.
		await requestCode(present(server));
		await expect
			.poll(() => count(), { timeout: 1_000 })
			.toBe(0)
			.catch(() => undefined);
	}
};

const requestCode = async (server: BuiltServer): Promise<void> => {
	const json = { email: newAddress(), type: 'email-verification' };
	expect((await call(server, SEND, { json })).status).toBe(200);
};

/** Kills one server or both. An answer to a process that is already dead would prove nothing. */
const kill = async (
	{ servers }: OpenFixture,
	sink: UnreliableSink,
	chance: Chance
): Promise<void> => {
	const hit = between(chance, 0, 3);
	const killed = servers.filter((_, i) => hit === 2 || hit === i);
	let alive = killed.length;
	const answerAgain = sink.hold();
	const onExit = (): void => {
		alive -= 1;
		if (alive === 0) answerAgain();
	};
	await Promise.all(killed.map((server) => server.crashAndRestart(onExit)));
};

/** What one pair of servers did in `ROUNDS` rounds, on a database of its own. */
const playPart = async (engine: Engine, part: number) => {
	const seed = newSeed();
	const chance = seeded(seed);
	let ahead = 0;
	const sink = await startUnreliableSink(chance, () => performance.now() + ahead, signsUp);
	const env = mailingThrough(sink.port);
	const fixture = await openFixture(engine, { env, processes: 2 });
	const promised: PromisedMail[] = [];
	const failures: string[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const clients = times(CLIENTS, (client) => `${part}-${round}-${client}`);
		const load = startMailLoad(fixture.servers, sink.attempts, chance, clients, (email) =>
			promised.push(email)
		);
		const wanted = promised.length + between(chance, 4, 20);
		await expect
			.poll(() => promised.length >= wanted || load.failures.length > 0, { timeout: 20_000 })
			.toBe(true);
		await pause(chance() * 200);
		failures.push(...load.failures);
		const stopped = load.stop();
		await kill(fixture, sink, chance);
		await stopped;
	}
	sink.recover();
	await settle(fixture, (seconds) => (ahead = seconds * 1000));
	const { twice, ...complaints } = complaintsAboutMails(promised, sink.attempts);
	const ends = Object.groupBy(sink.attempts, ({ end }) => end);
	const seen = `${promised.length} promised, ${ends.dropped?.length ?? 0} dropped, ${ends.abandoned?.length ?? 0} abandoned, ${twice.length} twice`;
	if (PARTS > 1) console.log(`[outbox ${engine}] ${ROUNDS} rounds: ${seen}`);
	await fixture.release();
	await sink.stop();
	expect({ seed, failures, ...complaints }).toEqual({
		seed,
		failures: [],
		missing: [],
		tooSoon: []
	});
	return { promised: promised.length, twice: twice.length };
};

describe.each(ENGINES_OF_FORM)('two processes on %s, killed', (engine) => {
	test(
		'no email that a response promised is missing, at most 1 in 100 arrives twice, and no process sends one that another holds',
		{ timeout: PARTS * 180_000 },
		async () => {
			let promised = 0;
			let twice = 0;
			for (const part of times(PARTS, (index) => index + 1)) {
				const seen = await playPart(engine, part);
				promised += seen.promised;
				twice += seen.twice;
			}
			// Only the long form has enough emails to tell. A busy process may hold all its places at its end.
			expect(twice).toBeLessThanOrEqual(Math.max(promised * TWICE, rounds(2 * PLACES, 1)));
		}
	);
});
