import { describe, expect, it } from 'vitest';
import { countCodes } from '#lib/adapters/mail/receipts/count-codes.ts';
import type { MailHosts } from '#lib/adapters/mail/receipts/mail-hosts.ts';
import type { OpenCode } from '#lib/adapters/mail/receipts/open-codes.ts';
import { fixedClock } from '#lib/adapters/memory/fixed-clock.ts';
import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { defaultPolicy, type HourCount, type MailHost } from '#lib/domain/index.ts';
import { anEmail, secondsFromStart, start } from '../../support/domain/builders.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';

const ada = anEmail('ada@gmail.com');

const aCode = (changes: Partial<OpenCode> = {}): OpenCode => ({
	purpose: 'sign_in',
	email: ada,
	requestedAt: start,
	lifetime: 600,
	...changes
});
const emailed = ({ purpose, email, requestedAt }: OpenCode) => ({
	purpose,
	email,
	createdAt: requestedAt
});

/** A counter over a store in memory. `broken` makes the store fail. */
const aCounter = () => {
	const clock = fixedClock(start);
	const timing = fakeTiming();
	const asked: string[] = [];
	const faults: unknown[] = [];
	const state = { broken: false, writes: 0, largest: 0, before: Promise.resolve() };
	const { deliveryFigures } = memoryStores();
	const mailHosts: MailHosts = {
		of: async (domain) => {
			asked.push(domain);
			return `mx-of-${domain}` as MailHost;
		}
	};
	const counter = countCodes({
		mailHosts,
		deliveryFigures: {
			...deliveryFigures,
			add: async (counts, most) => {
				state.writes += 1;
				state.largest = Math.max(state.largest, counts.length);
				await state.before;
				if (state.broken) throw new Error('the store is down');
				return deliveryFigures.add(counts, most);
			}
		},
		clock,
		timing,
		policy: defaultPolicy,
		onFault: (where, fault) => faults.push({ where, fault })
	});
	/** What is stored, without counts of zero: the facts of each host. */
	const stored = async (): Promise<Record<string, number>> => {
		const rows = await deliveryFigures.hours(secondsFromStart(-86_400), secondsFromStart(86_400));
		const named = (row: HourCount) => `${row.host} ${row.fact}`;
		return Object.fromEntries(
			rows.filter(({ count }) => count > 0).map((row) => [named(row), row.count])
		);
	};
	return { counter, clock, timing, asked, faults, state, stored, deliveryFigures };
};

describe('what is counted', () => {
	it('a code that was sent, or may have been, and the seconds until its entry', async () => {
		const { counter, clock, stored } = aCounter();
		counter.attempted(aCode(), 'sent');
		counter.attempted(aCode({ email: anEmail('bob@gmail.com') }), 'unknown');
		clock.advance(42);
		counter.entered(emailed(aCode()));
		await counter.finish();
		expect(await stored()).toEqual({ 'mx-of-gmail.com sent': 2, 'mx-of-gmail.com within_45': 1 });
	});

	it('nothing for an email that was certainly not sent, and a refusal for one refused for good', async () => {
		const { counter, stored } = aCounter();
		counter.attempted(aCode(), 'refused');
		counter.attempted(aCode(), 'busy');
		await counter.finish();
		expect(await stored()).toEqual({});
		counter.attempted(aCode(), 'rejected');
		counter.refused(emailed(aCode()));
		await counter.finish();
		expect(await stored()).toEqual({ 'mx-of-gmail.com refused': 2 });
	});

	it('a code as requested again while an earlier one can be used, for the same purpose and address', async () => {
		const { counter, timing, stored } = aCounter();
		const at = (seconds: number) => aCode({ requestedAt: secondsFromStart(seconds) });
		counter.attempted(at(0), 'sent');
		counter.attempted({ ...at(1), purpose: 'email_verification' }, 'sent');
		counter.attempted({ ...at(2), email: anEmail('bob@gmail.com') }, 'sent');
		await counter.finish();
		expect(await stored()).not.toHaveProperty('mx-of-gmail.com again');
		counter.attempted(at(30), 'sent');
		counter.entered(emailed(at(30)));
		counter.attempted(at(60), 'sent');
		await timing.advance(600_000);
		counter.attempted(at(660), 'sent');
		await counter.finish();
		expect(await stored()).toMatchObject({ 'mx-of-gmail.com sent': 6, 'mx-of-gmail.com again': 1 });
	});

	it('one code once, also when its email is sent again', async () => {
		const { counter, stored } = aCounter();
		counter.attempted(aCode(), 'unknown');
		counter.attempted(aCode(), 'sent');
		await counter.finish();
		expect(await stored()).toEqual({ 'mx-of-gmail.com sent': 1 });
	});

	it('in the hour in which the code was requested', async () => {
		const { counter, clock, deliveryFigures } = aCounter();
		const late = aCode({ requestedAt: secondsFromStart(3_590) });
		counter.attempted(late, 'sent');
		clock.advance(3_620);
		counter.entered(emailed(late));
		await counter.finish();
		const rows = await deliveryFigures.hours(start, secondsFromStart(86_400));
		expect(rows.map(({ since }) => since)).toEqual([start, start]);
	});

	it('no address and no domain of one is kept', async () => {
		const { counter, deliveryFigures } = aCounter();
		counter.attempted(aCode({ email: anEmail('anna@anna-smith.example') }), 'sent');
		await counter.finish();
		const rows = await deliveryFigures.hours(start, secondsFromStart(1));
		const hosts = new Set(rows.map(({ host }) => host));
		expect([...hosts]).toEqual(['mx-of-anna-smith.example']);
	});
});

describe('an email that is not meant to be sent', () => {
	it('costs the same lookup and the same rows, and counts zero', async () => {
		const [real, decoy] = [aCounter(), aCounter()];
		real.counter.attempted(aCode(), 'sent');
		decoy.counter.attempted(aCode(), 'not_meant');
		for (const { counter } of [real, decoy]) await counter.finish();
		expect(decoy.asked).toEqual(real.asked);
		expect(decoy.state.writes).toBe(1);
		const rowsOf = async ({ deliveryFigures }: typeof real) =>
			(await deliveryFigures.hours(start, secondsFromStart(1))).map(({ host, fact }) => [
				host,
				fact
			]);
		expect(await rowsOf(decoy)).toEqual(await rowsOf(real));
		expect(await decoy.stored()).toEqual({});
	});
});

describe('writing', () => {
	it('happens ten seconds after the first count, in one statement for all', async () => {
		const { counter, timing, state, stored } = aCounter();
		for (let sent = 0; sent < 50; sent += 1) {
			counter.attempted(aCode({ email: anEmail(`user-${sent}@gmail.com`) }), 'sent');
		}
		await timing.advance(9_999);
		expect(state.writes).toBe(0);
		await timing.advance(1);
		expect([state.writes, timing.timers]).toEqual([1, 0]);
		expect(await stored()).toEqual({ 'mx-of-gmail.com sent': 50 });
	});

	it('starts no timer while nothing is counted', async () => {
		const { counter, timing, state } = aCounter();
		await timing.advance(60_000);
		await counter.finish();
		expect([state.writes, timing.timers]).toEqual([0, 0]);
	});

	it('is repeated while the store is down, with one line in the log, and loses nothing', async () => {
		const { counter, timing, state, faults, stored } = aCounter();
		state.broken = true;
		counter.attempted(aCode(), 'sent');
		await timing.advance(10_000);
		counter.entered(emailed(aCode()));
		await timing.advance(20_000);
		expect(state.writes).toBe(3);
		expect(faults).toHaveLength(1);
		state.broken = false;
		await timing.advance(10_000);
		expect(await stored()).toEqual({ 'mx-of-gmail.com sent': 1, 'mx-of-gmail.com within_5': 1 });
	});

	it('keeps a bounded number of counts while the store is down', async () => {
		const { counter, timing, state, deliveryFigures } = aCounter();
		state.broken = true;
		for (let made = 0; made < 5_000; made += 1) {
			counter.attempted(aCode({ email: anEmail(`a@${made}.test`) }), 'sent');
		}
		await timing.advance(10_000);
		state.broken = false;
		await timing.advance(10_000);
		const sums = await deliveryFigures.sums(start, secondsFromStart(1));
		const sent = sums.filter(({ fact }) => fact === 'sent');
		expect(sent.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
		expect(sent).toHaveLength(defaultPolicy.receipts.mostHosts + 1);
		// And one for the others together.
		expect(state.largest).toBe(4_001);
	});

	it('that is under way at shutdown is awaited, and its counts are written again if it fails', async () => {
		const { counter, timing, state, stored } = aCounter();
		let fail = (): void => undefined;
		state.before = new Promise<void>((_, reject) => (fail = () => reject(new Error('too slow'))));
		counter.attempted(aCode(), 'sent');
		await timing.advance(10_000);
		const finished = counter.finish();
		await timing.advance(0);
		state.before = Promise.resolve();
		fail();
		await finished;
		expect(await stored()).toEqual({ 'mx-of-gmail.com sent': 1 });
	});

	it('a lookup that fails is logged, and delays nothing', async () => {
		const faults: unknown[] = [];
		const fault = new Error('no resolver');
		const counter = countCodes({
			mailHosts: { of: () => Promise.reject(fault) },
			deliveryFigures: memoryStores().deliveryFigures,
			clock: fixedClock(start),
			timing: fakeTiming(),
			policy: defaultPolicy,
			onFault: (where, what) => void faults.push({ where, fault: what })
		});
		counter.attempted(aCode(), 'sent');
		await counter.finish();
		expect(faults).toEqual([{ where: 'mail host', fault }]);
	});

	it('at shutdown waits a second for the DNS, and not longer', async () => {
		const timing = fakeTiming();
		const { deliveryFigures } = memoryStores();
		const forever = new Promise<never>(() => undefined);
		const counter = countCodes({
			mailHosts: { of: () => forever },
			deliveryFigures,
			clock: fixedClock(start),
			timing,
			policy: defaultPolicy,
			onFault: () => undefined
		});
		counter.attempted(aCode(), 'sent');
		let isOver = false;
		const finished = counter.finish().then(() => (isOver = true));
		await timing.advance(999);
		expect(isOver).toBe(false);
		await timing.advance(1);
		await finished;
		expect(timing.timers).toBe(0);
	});
});
