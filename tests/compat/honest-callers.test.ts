import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { newAddress, rounds, tally, times } from '../support/http/client.ts';
import { onBothInLongForm, present, type Fixture } from '../support/http/fixtures.ts';
import { mailingThrough } from '../support/mail/mail-settings.ts';
import { startSmtpSink } from '../support/mail/smtp-sink.ts';
import { flooder, guesser, startAttack, GUESSING } from './attackers.ts';
import { newClient, sendTo } from './clients.ts';
import { aCaller, kinds, type Caller } from './honest-callers.ts';

const sink = await startSmtpSink();
afterAll(() => sink.stop());

/** In milliseconds. */
const SPREAD = 10_000;
const HONEST = rounds(20, 60);

/** What the calls of the honest callers deserve. */
const OWN_ANSWERS = [
	'200',
	'400 INVALID_OTP',
	'400 OTP_EXPIRED',
	'403 TOO_MANY_ATTEMPTS',
	'429 TOO_MANY_REQUESTS'
];

/**
 * Rules for the whole site used to begin at 600 emails an hour, 60 wrong codes a minute and 200
 * requests without an email. They refused clients that did nothing wrong.
 */
const SENDS = 820;
const GUESSES = 300;

/** Starts the errands evenly over some seconds, at most ten at a time. */
const spread = async (callers: readonly Caller[]): Promise<readonly boolean[]> => {
	const began = performance.now();
	const waiting = [...callers.entries()];
	const finished: boolean[] = [];
	const inTurn = async (): Promise<void> => {
		for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
			const [turn, caller] = next;
			const due = began + (turn * SPREAD) / callers.length;
			await pause(Math.max(0, due - performance.now()));
			finished.push(await caller.during());
		}
	};
	await Promise.all(times(10, inTurn));
	return finished;
};

const answersOf = (callers: readonly Caller[]): Record<string, number> =>
	tally(callers.flatMap(({ steps }) => steps.map(({ got }) => got)));

const honestCallers = (fixture: Fixture): void => {
	test('S01 five codes for an email address are sent to a plain client; the sixth gets 429 and the seconds to wait, from any network', async () => {
		const email = newAddress();
		const waits: unknown[] = [];
		const plain = () =>
			newClient(fixture.server, {
				onError: ({ response }) => void waits.push(response.headers.get('retry-after'))
			});
		const client = plain();
		for (const _ of times(5, () => null)) {
			expect(await sendTo(client, email)).toEqual({ data: { success: true }, error: null });
		}
		for (const other of [client, plain()]) {
			expect((await sendTo(other, email)).error).toMatchObject({
				status: 429,
				code: 'TOO_MANY_REQUESTS'
			});
		}
		expect(waits).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
	});

	test('S03 S04 while others flood sends and guess codes, the unmodified client gets exactly the answers that its own calls deserve', async () => {
		const { server } = fixture;
		const honest = times(HONEST, (turn) => aCaller(server, sink, kindAt(turn)));
		const neighbours = [flooder, guesser].flatMap((inNetwork) =>
			times(kinds.length, (turn) => aCaller(server, sink, kindAt(turn), inNetwork(turn, 200)))
		);
		for (const caller of [...honest, ...neighbours]) await caller.before();
		await server.shiftClock(20 * 60);

		const earlier = sink.mails.length;
		const attack = startAttack(server, sink);
		let finished: readonly boolean[];
		try {
			await expect.poll(() => attack.sends.length, { timeout: 120_000 }).toBeGreaterThan(SENDS);
			await expect.poll(() => attack.guesses.length, { timeout: 120_000 }).toBeGreaterThan(GUESSES);
			[finished] = await Promise.all([spread(honest), spread(neighbours)]);
		} finally {
			await attack.stop();
		}

		const report = {
			honest: answersOf(honest),
			neighbours: answersOf(neighbours),
			sends: tally(attack.sends),
			guesses: tally(attack.guesses)
		};
		console.log(`honest callers during an attack, on ${fixture.engine}:`, report);
		const steps = honest.flatMap((caller) => caller.steps);
		expect(steps.filter(({ got, right }) => got !== right)).toEqual([]);
		expect(finished).toEqual(times(HONEST, () => true));
		expect(Object.keys(report.honest).sort()).toEqual(OWN_ANSWERS);
		expect(OWN_ANSWERS).toEqual(expect.arrayContaining(Object.keys(report.neighbours)));
		// The attack was one: its codes were mailed, and every network guessed until it was refused.
		expect(sink.mails.length - earlier).toBeGreaterThan(SENDS * 0.7);
		expect(attack.refused.size).toBe(GUESSING);
	}, 240_000);
};

const kindAt = (turn: number) => present(kinds[turn % kinds.length]);

describe('honest callers', () => {
	onBothInLongForm(honestCallers, { env: { ...mailingThrough(sink.port), EMAIL_BUDGET: '' } });
});
