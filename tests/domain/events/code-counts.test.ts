import { describe, expect, it } from 'vitest';
import { makeCodeCounts } from '#lib/domain/events/code-counts.ts';
import type { CodeCount } from '#lib/domain/events/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { aSignedIn, wrong, type Fixture } from '../../support/domain/fixture.ts';
import { fixedClock } from '../../support/memory/drivers.ts';

const HOUR = 3600;

/** A collector whose timer and store the test controls. */
const aCollector = () => {
	const clock = fixedClock(new Date('2026-03-01T12:34:56.789Z'));
	const batches: (readonly CodeCount[])[] = [];
	const faults: unknown[] = [];
	const planned = new Set<() => void>();
	let isDown = false;
	const counts = makeCodeCounts({
		clock,
		events: {
			addCodeCounts: async (batch) => {
				if (isDown) throw new StoreUnavailable('DOWN');
				batches.push(batch);
			}
		},
		after: (_, then) => {
			planned.add(then);
			return () => void planned.delete(then);
		},
		onFault: (fault) => void faults.push(fault)
	});
	return {
		...counts,
		clock,
		batches,
		faults,
		planned,
		setDown: (down: boolean): void => void (isDown = down)
	};
};

const ada = 'ada@example.com' as Email;
const hour = new Date('2026-03-01T12:00:00Z');

describe('the collector of code counts', () => {
	it('stores one row for a kind, email address and hour, and plans nothing without counts', async () => {
		const { count, flush, batches, clock, planned } = aCollector();
		expect(planned.size).toBe(0);
		for (let sent = 0; sent < 3; sent += 1) count('code_refused', ada);
		count('code_sent', ada);
		clock.advance(HOUR);
		count('code_refused', ada);
		expect(planned.size).toBe(1);
		await flush();
		const next = new Date('2026-03-01T13:00:00Z');
		expect(batches).toEqual([
			[
				{ kind: 'code_refused', email: ada, hour, count: 3 },
				{ kind: 'code_sent', email: ada, hour, count: 1 },
				{ kind: 'code_refused', email: ada, hour: next, count: 1 }
			]
		]);
		expect(planned.size).toBe(0);
	});

	it('keeps what could not be stored, together with what came meanwhile', async () => {
		const { count, flush, batches, faults, planned, setDown } = aCollector();
		count('code_sent', ada);
		setDown(true);
		const failing = flush();
		count('code_sent', ada);
		await failing;
		expect([faults.length, planned.size]).toEqual([1, 1]);
		setDown(false);
		await flush();
		expect(batches).toEqual([[{ kind: 'code_sent', email: ada, hour, count: 2 }]]);
	});

	it('stopping waits for a running flush, tries again what it could not store, and ends', async () => {
		const { count, flush, stop, batches, faults, planned, setDown } = aCollector();
		count('code_sent', ada);
		setDown(true);
		void flush();
		await stop();
		expect([faults.length, planned.size]).toEqual([2, 0]);
		setDown(false);
		await stop();
		expect([batches.length, planned.size]).toEqual([1, 0]);
	});

	it('a flood over many addresses fills bounded memory, in small transactions', async () => {
		const { count, flush, batches } = aCollector();
		for (let index = 0; index < 12_000; index += 1) {
			count('code_refused', `person-${index}@example.com` as Email);
		}
		await flush();
		expect(batches.flat()).toHaveLength(10_000);
		expect(new Set(batches.map((batch) => batch.length))).toEqual(new Set([25]));
	});
});

describe('what is counted', () => {
	const countsOf = async (fixture: Fixture, user: { id: string }) => {
		await fixture.storeCounts();
		const events = await fixture.stores.events.pageOf(user.id as never, null, 100);
		const hourly = events.filter(({ kind }) => kind === 'code_sent' || kind === 'code_refused');
		return Object.fromEntries(hourly.map(({ kind, count }) => [kind, count]));
	};

	it('codes that were sent and refused at sign-in', async () => {
		const { fixture, user } = await aSignedIn(ada);
		const code = await fixture.sendTo(ada);
		await fixture.enterCode(ada, wrong(code));
		await fixture.enterCode(ada, 'no code');
		expect(await countsOf(fixture, user)).toEqual({ code_sent: 2, code_refused: 1 });
		await fixture.enterCode(ada, wrong(code));
		expect(await countsOf(fixture, user)).toEqual({ code_sent: 2, code_refused: 2 });
	});

	it('those of an email change count for the account that asked', async () => {
		const { fixture, signedIn: ada } = await aSignedIn('ada@example.com');
		const code = await fixture.codeToMove(ada, 'new@example.com');
		await fixture.moveByCode(ada, 'new@example.com', wrong(code));
		expect(await countsOf(fixture, ada.user)).toEqual({ code_sent: 2, code_refused: 1 });
	});

	it('nothing for an address without an account', async () => {
		const { fixture, user } = await aSignedIn(ada);
		await fixture.enterCode(
			'nobody@example.com',
			wrong(await fixture.sendTo('nobody@example.com'))
		);
		expect(await countsOf(fixture, user)).toEqual({ code_sent: 1 });
		expect(await fixture.stores.accounts.find('nobody@example.com' as Email)).toBeNull();
	});
});
