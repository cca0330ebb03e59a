import { describe, expect, it } from 'vitest';
import { conditionalMailer } from '#lib/adapters/mail/conditional-mailer.ts';
import type { Timing } from '#lib/adapters/mail/fair-queue.ts';
import type { ConditionalMailer, LeaseDue } from '#lib/domain/delivery/deliver-mail.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { Delivery } from '#lib/domain/mail.ts';
import { outboxBench, SLOT, timedBench, type OutboxBench } from './outbox-bench.ts';
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

const arrived = ({ mailer }: OutboxBench): readonly string[] => mailer.mails.map(({ to }) => to);

describe('R05: the pace of conditional emails', () => {
	it('is the same whether or not there is an email, and delays no other', async () => {
		const runs = await Promise.all(
			[true, false].map(async (isDue) => {
				const bench = outboxBench();
				await bench.addIf('target', isDue);
				await bench.addIf('own', true);
				await bench.addIf('other', true);
				await bench.timing.advance(50);
				await bench.addWelcome('welcomed');
				await bench.addIf('late', false);
				await bench.timing.advance(20_000);
				return bench.events.filter(([event]) => !/^(?:conditional|dry run)/.test(event));
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
		const bench = outboxBench();
		await bench.addIf('known', true);
		await bench.addIf('unknown', false);
		await bench.timing.advance(10 * SLOT);
		expect(bench.events).toEqual([
			['looked up known', SLOT],
			['conditional known', SLOT],
			['looked up unknown', 2 * SLOT],
			['dry run unknown', 2 * SLOT]
		]);
		expect(arrived(bench)).toEqual(['known']);
	});

	it('is the same whether or not an earlier email was refused and is sent again', async () => {
		const run = async (isDue: boolean) => {
			const bench = outboxBench({
				conditional: {
					send: async ({ to }) => (to === 'target' ? 'refused' : 'sent'),
					dryRun: () => Promise.resolve()
				}
			});
			await bench.addIf('target', isDue);
			await bench.timing.advance(1_000);
			bench.clock.advance(15);
			// The target's email is due again. It starts after this one, and 30 ms before the next.
			await bench.addIf('own', true);
			await bench.timing.advance(2 * SLOT + 30);
			await bench.addIf('own', true);
			await bench.timing.advance(1_000);
			const moments = (to: string) =>
				bench.events.filter(([event]) => event === `looked up ${to}`).map(([, at]) => at);
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
		const bench = timedBench({ timing: early });
		for (let email = 0; email < 4; email += 1) await bench.addIf(`p${email}`, true);
		await timing.advance(4 * SLOT);
		expect(bench.mailer.mails).toHaveLength(4);
		const starts = bench.events.filter(([event]) => event.startsWith('looked up'));
		expect(starts.map(([, at]) => Math.ceil(at / SLOT))).toEqual([1, 2, 3, 4]);
	});

	it('with a mail server that takes 900 ms, own emails arrive at the same moments', async () => {
		const arrivals = async (isDue: boolean) => {
			const timing = fakeTiming();
			const moments: (readonly [string, number])[] = [];
			const conditional = heldPlaces(timing, (to) => moments.push([to, timing.now()]));
			const bench = outboxBench({ timing, conditional });
			// So that the mailer knows how long an email takes.
			await bench.addIf('own', true);
			await timing.advance(5_000);
			for (let email = 1; email <= 10; email += 1) await bench.addIf('target', isDue);
			for (let email = 1; email <= 3; email += 1) {
				await bench.addIf('own', true, 'own network');
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
		const bench = outboxBench();
		for (let email = 0; email < 8; email += 1) await bench.addIf(`flood${email}`, true, 'flood');
		await bench.addIf('honest', true, 'another network');
		await bench.timing.advance(3 * SLOT);
		expect(arrived(bench)).toEqual(['flood0', 'honest', 'flood1']);
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
		const bench = outboxBench({ unconditional: mailer });
		for (const to of ['a', 'b', 'c', 'd', 'e']) await bench.addWelcome(to);
		await bench.timing.advance(0);
		expect(under.map(({ to }) => to)).toEqual(['a', 'b', 'c']);
		const now = bench.clock.now();
		expect(await bench.rows.lease('unconditional', now, now, 9)).toHaveLength(2);
		under[0]?.end('sent');
		await bench.timing.advance(0);
		expect(under.map(({ to }) => to)).toEqual(['a', 'b', 'c', 'd']);
	});

	it('sends what other processes left behind, and what is due again, once it has started', async () => {
		const bench = outboxBench();
		bench.mailer.meet('refused');
		await bench.addWelcome('ada');
		await bench.timing.advance(0);
		bench.mailer.meet('sent');
		bench.clock.advance(20);
		await bench.timing.advance(60_000);
		expect(arrived(bench)).toEqual([]);
		bench.worker.start();
		await bench.timing.advance(0);
		expect(arrived(bench)).toEqual(['ada']);
		await bench.worker.finish(0);
		expect(bench.timing.timers).toBe(0);
	});

	it('looks at once when it starts, in both lanes', async () => {
		const before = outboxBench({ lease: () => Promise.resolve([]) });
		await before.addWelcome('ada');
		await before.addIf('bob', true);
		const due: LeaseDue = (lane, limit) =>
			before.rows.lease(lane, before.clock.now(), new Date(8e15), limit);
		const bench = outboxBench({ lease: due });
		bench.worker.start();
		await bench.timing.advance(0);
		expect(arrived(bench)).toEqual(['ada']);
		await bench.timing.advance(SLOT);
		expect(bench.events).toContainEqual(['looked up bob', SLOT]);
		await bench.worker.finish(0);
	});

	it('at shutdown sends what is due without pacing, and waits for what is under way', async () => {
		const bench = outboxBench();
		for (let email = 0; email < 20; email += 1) await bench.addIf(`p${email}`, true);
		const finished = bench.worker.finish(5_000);
		await finished;
		expect(arrived(bench)).toHaveLength(20);
		expect(bench.timing.timers).toBe(0);
	});

	it('at shutdown begins no email after its time, and leaves it to other processes', async () => {
		const { under, mailer } = heldMailer();
		const bench = outboxBench({ unconditional: mailer });
		for (const to of ['a', 'b', 'c', 'd']) await bench.addWelcome(to);
		await bench.timing.advance(0);
		let isFinished = false;
		const finished = bench.worker.finish(5_000).then(() => (isFinished = true));
		await bench.timing.advance(5_000);
		expect(isFinished).toBe(false);
		for (const { end } of under) end('sent');
		await finished;
		expect(under).toHaveLength(3);
		const now = bench.clock.now();
		expect(await bench.rows.lease('unconditional', now, now, 9)).toHaveLength(1);
	});

	it('reports a store that fails once, and goes on when it responds again', async () => {
		let isDown = true;
		const bench: OutboxBench = outboxBench({
			lease: (lane, limit) =>
				isDown
					? Promise.reject(new StoreUnavailable('planted'))
					: bench.rows.lease(lane, bench.clock.now(), new Date(8e15), limit)
		});
		bench.worker.start();
		await bench.addWelcome('ada');
		await bench.timing.advance(60_000);
		// One for each lane.
		expect(bench.faults.map(([where]) => where)).toEqual(['outbox', 'outbox']);
		isDown = false;
		await bench.timing.advance(5_000);
		expect(arrived(bench)).toEqual(['ada']);
		await bench.worker.finish(0);
	});

	it('reports a mailer that throws, and sends the next email', async () => {
		const bench = outboxBench({
			unconditional: {
				send: ({ to }) => {
					if (to === 'bug') throw new Error('planted');
					return bench.mailer.send({ ...({ kind: 'welcome' } as const), to });
				}
			}
		});
		await bench.addWelcome('bug');
		await bench.addWelcome('ada');
		await bench.timing.advance(0);
		expect(bench.faults).toEqual([['welcome mail', new Error('planted')]]);
		expect(arrived(bench)).toEqual(['ada']);
	});
});
