import { describe, expect, it } from 'vitest';
import { conditionalMailer } from '#lib/adapters/mail/conditional-mailer.ts';
import type { Timing } from '#lib/adapters/mail/fair-queue.ts';
import type { ConditionalMailer, LeaseDue } from '#lib/domain/delivery/ports.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { Delivery } from '#lib/domain/mail.ts';
import { anOutboxFixture, SLOT, timedOutboxFixture, type OutboxFixture } from './outbox-fixture.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';

/** A mailer that takes 900 ms for an email. */
const heldPlaces = (timing: Timing, arrive: (to: string) => void): ConditionalMailer =>
	conditionalMailer(
		{
			send: async (mail) => {
				arrive(mail.to);
				await new Promise<void>((resolve) => timing.after(900, resolve));
				return 'sent';
			}
		},
		() => Promise.resolve(),
		timing
	);

const arrived = ({ mailer }: OutboxFixture): readonly string[] => mailer.mails.map(({ to }) => to);

describe('R05: the pace of conditional emails', () => {
	it('is the same whether or not there is an email, and delays no other', async () => {
		const runs = await Promise.all(
			[true, false].map(async (isDue) => {
				const fixture = anOutboxFixture();
				await fixture.addIf('target', isDue);
				await fixture.addIf('own', true);
				await fixture.addIf('other', true);
				await fixture.timing.advance(50);
				await fixture.addWelcome('welcomed');
				await fixture.addIf('late', false);
				await fixture.timing.advance(20_000);
				return fixture.events.filter(([event]) => !/^(?:conditional|dry run)/.test(event));
			})
		);
		expect(runs[0]).toEqual(runs[1]);
		expect(runs[0]).toEqual([
			['unconditional welcomed', 50],
			['looked up target', SLOT],
			['looked up own', 2 * SLOT],
			['looked up other', 3 * SLOT],
			['looked up late', 4 * SLOT]
		]);
	});

	it('includes the work of an email that is not due, with the same mailer', async () => {
		const fixture = anOutboxFixture();
		await fixture.addIf('known', true);
		await fixture.addIf('unknown', false);
		await fixture.timing.advance(10 * SLOT);
		expect(fixture.events).toEqual([
			['looked up known', SLOT],
			['conditional known', SLOT],
			['looked up unknown', 2 * SLOT],
			['dry run unknown', 2 * SLOT]
		]);
		expect(arrived(fixture)).toEqual(['known']);
	});

	it('is the same whether or not an earlier email was refused and is sent again', async () => {
		const run = async (isDue: boolean) => {
			const fixture = anOutboxFixture({
				conditional: {
					send: async ({ to }) => (to === 'target' ? 'not_sent' : 'sent'),
					dryRun: () => Promise.resolve()
				}
			});
			await fixture.addIf('target', isDue);
			await fixture.timing.advance(1_000);
			fixture.clock.advance(15);
			// The target's email is due again. It starts after this one, and 30 ms before the next.
			await fixture.addIf('own', true);
			await fixture.timing.advance(2 * SLOT + 30);
			await fixture.addIf('own', true);
			await fixture.timing.advance(1_000);
			const moments = (to: string) =>
				fixture.events.filter(([event]) => event === `looked up ${to}`).map(([, at]) => at);
			return { own: moments('own'), target: moments('target') };
		};
		const refused = await run(true);
		expect(refused).toEqual({
			own: [1_000 + SLOT, 1_000 + 3 * SLOT],
			target: [SLOT, 1_000 + 2 * SLOT]
		});
		expect((await run(false)).own).toEqual(refused.own);
	});

	it('uses no slot twice when a timer fires early', async () => {
		const timing = fakeTiming();
		const early: Timing = {
			now: timing.now,
			after: (milliseconds, then) => timing.after(Math.max(0, milliseconds - 0.5), then)
		};
		const fixture = timedOutboxFixture({ timing: early });
		for (let email = 0; email < 4; email += 1) await fixture.addIf(`p${email}`, true);
		await timing.advance(4 * SLOT);
		expect(fixture.mailer.mails).toHaveLength(4);
		const starts = fixture.events.filter(([event]) => event.startsWith('looked up'));
		expect(starts.map(([, at]) => Math.ceil(at / SLOT))).toEqual([1, 2, 3, 4]);
	});

	it('with a mail server that takes 900 ms, own emails arrive at the same moments', async () => {
		const arrivals = async (isDue: boolean) => {
			const timing = fakeTiming();
			const moments: (readonly [string, number])[] = [];
			const conditional = heldPlaces(timing, (to) => moments.push([to, timing.now()]));
			const fixture = anOutboxFixture({ timing, conditional });
			// So that the mailer knows how long an email takes.
			await fixture.addIf('own', true);
			await timing.advance(5_000);
			for (let email = 1; email <= 10; email += 1) await fixture.addIf('target', isDue);
			for (let email = 1; email <= 3; email += 1) {
				await fixture.addIf('own', true, 'own network');
				await timing.advance(150);
			}
			await timing.advance(60_000);
			return moments.filter(([to]) => to === 'own');
		};
		const withAccount = await arrivals(true);
		expect(withAccount).toHaveLength(4);
		expect(await arrivals(false)).toEqual(withAccount);
	});

	it('serves the networks of clients in turn', async () => {
		const fixture = anOutboxFixture();
		for (let email = 0; email < 8; email += 1) await fixture.addIf(`flood${email}`, true, 'flood');
		await fixture.addIf('honest', true, 'another network');
		await fixture.timing.advance(3 * SLOT);
		expect(arrived(fixture)).toEqual(['flood0', 'honest', 'flood1']);
	});
});

describe('the worker of an outbox', () => {
	/** A mailer whose emails stay under way until the test ends them. */
	const heldMailer = () => {
		const under: { to: string; end: (delivery: Delivery) => void }[] = [];
		const send = (mail: { readonly to: string }): Promise<Delivery> =>
			new Promise((resolve) => under.push({ to: mail.to, end: resolve }));
		return { under, mailer: { send } };
	};

	it('sends unconditional emails at once, as many as there are places, and leases no others', async () => {
		const { under, mailer } = heldMailer();
		const fixture = anOutboxFixture({ unconditional: mailer });
		for (const to of ['a', 'b', 'c', 'd', 'e']) await fixture.addWelcome(to);
		await fixture.timing.advance(0);
		expect(under.map(({ to }) => to)).toEqual(['a', 'b', 'c']);
		const now = fixture.clock.now();
		expect(await fixture.rows.lease('unconditional', now, now, 9)).toHaveLength(2);
		under[0]?.end('sent');
		await fixture.timing.advance(0);
		expect(under.map(({ to }) => to)).toEqual(['a', 'b', 'c', 'd']);
	});

	it('sends what other processes left behind, and what is due again, once it has started', async () => {
		const fixture = anOutboxFixture();
		fixture.mailer.meet('not_sent');
		await fixture.addWelcome('ada');
		await fixture.timing.advance(0);
		fixture.mailer.meet('sent');
		fixture.clock.advance(20);
		await fixture.timing.advance(60_000);
		expect(arrived(fixture)).toEqual([]);
		fixture.worker.start();
		await fixture.timing.advance(0);
		expect(arrived(fixture)).toEqual(['ada']);
		await Promise.all([fixture.worker.finish(0), fixture.timing.advance(SLOT)]);
		expect(fixture.timing.timers).toBe(0);
	});

	it('looks at once when it starts, in both lanes', async () => {
		const before = anOutboxFixture({ lease: () => Promise.resolve([]) });
		await before.addWelcome('ada');
		await before.addIf('bob', true);
		const due: LeaseDue = (lane, limit) =>
			before.rows.lease(lane, before.clock.now(), new Date(8e15), limit);
		const fixture = anOutboxFixture({ lease: due });
		fixture.worker.start();
		await fixture.timing.advance(0);
		expect(arrived(fixture)).toEqual(['ada']);
		await fixture.timing.advance(SLOT);
		expect(fixture.events).toContainEqual(['looked up bob', SLOT]);
		await Promise.all([fixture.worker.finish(0), fixture.timing.advance(SLOT)]);
	});

	it('at shutdown sends what is due without pacing, and waits for what is under way', async () => {
		const fixture = anOutboxFixture();
		for (let email = 0; email < 20; email += 1) await fixture.addIf(`p${email}`, true);
		const finished = fixture.worker.finish(5_000);
		// A slot has begun already.
		await fixture.timing.advance(SLOT);
		await finished;
		expect(arrived(fixture)).toHaveLength(20);
		expect(fixture.timing.timers).toBe(0);
	});

	it('at shutdown begins no email after its time, and leaves it to other processes', async () => {
		const { under, mailer } = heldMailer();
		const fixture = anOutboxFixture({ unconditional: mailer });
		for (const to of ['a', 'b', 'c', 'd']) await fixture.addWelcome(to);
		await fixture.timing.advance(0);
		let isFinished = false;
		const finished = fixture.worker.finish(5_000).then(() => (isFinished = true));
		await fixture.timing.advance(5_000);
		expect(isFinished).toBe(false);
		for (const { end } of under) end('sent');
		await finished;
		expect(under).toHaveLength(3);
		const now = fixture.clock.now();
		expect(await fixture.rows.lease('unconditional', now, now, 9)).toHaveLength(1);
	});

	it('reports a store that fails once, and goes on when it responds again', async () => {
		let isDown = true;
		const fixture: OutboxFixture = anOutboxFixture({
			lease: (lane, limit) =>
				isDown
					? Promise.reject(new StoreUnavailable('planted'))
					: fixture.rows.lease(lane, fixture.clock.now(), new Date(8e15), limit)
		});
		fixture.worker.start();
		await fixture.addWelcome('ada');
		await fixture.timing.advance(60_000);
		// One for each lane.
		expect(fixture.faults.map(([where]) => where)).toEqual(['outbox', 'outbox']);
		isDown = false;
		await fixture.timing.advance(5_000);
		expect(arrived(fixture)).toEqual(['ada']);
		await Promise.all([fixture.worker.finish(0), fixture.timing.advance(SLOT)]);
	});

	it('reports a mailer that throws, and sends the next email', async () => {
		const fixture = anOutboxFixture({
			unconditional: {
				send: ({ to }) => {
					if (to === 'bug') throw new Error('planted');
					return fixture.mailer.send({ ...({ kind: 'welcome' } as const), to });
				}
			}
		});
		await fixture.addWelcome('bug');
		await fixture.addWelcome('ada');
		await fixture.timing.advance(0);
		expect(fixture.faults).toEqual([['welcome mail', new Error('planted')]]);
		expect(arrived(fixture)).toEqual(['ada']);
	});
});
