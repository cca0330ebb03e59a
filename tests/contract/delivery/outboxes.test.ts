import { describe, expect, it } from 'vitest';
import { fairQueue } from '#lib/adapters/mail/delivery/fair-queue.ts';
import {
	directOutbox,
	pacedOutbox,
	type ConditionalMailer,
	type PacedOutboxSettings
} from '#lib/adapters/mail/delivery/paced-outbox.ts';
import type { Timing } from '#lib/adapters/mail/delivery/usual-duration.ts';
import { memoryMailer } from '#lib/adapters/memory/delivery/memory-mailer.ts';
import type { Email, Mail, Mailer } from '#lib/domain/index.ts';
import { exampleMails } from '../../support/mail/examples.ts';
import { fakeTiming, type FakeTiming } from '../../support/time/fake-timing.ts';
import { outboxContract } from './outbox.contract.ts';

const { email_verification_code: codeMail, welcome } = exampleMails;
const refused = 'bounces@example.test' as Email;
const SLOT = 100;

/** A paced outbox over memory, which records what happens when. */
const setUp = ({
	timing = fakeTiming(),
	...changes
}: Partial<PacedOutboxSettings & { readonly timing: FakeTiming }> = {}) => {
	const mailer = memoryMailer();
	const events: (readonly [string, number])[] = [];
	const note = (event: string): void => void events.push([event, timing.now()]);
	const noted = (name: string): Mailer => ({
		send: (mail) => {
			note(`${name} ${mail.to}`);
			return mailer.send(mail);
		}
	});
	const busy: number[] = [];
	const outbox = pacedOutbox({
		slot: SLOT,
		perKey: 5,
		total: 10,
		keyOf: (mail: Mail) => ('device' in mail ? mail.device.ipAddress : mail.to),
		following: noted('following'),
		conditional: { ...noted('conditional'), rehearse: async ({ to }) => note(`rehearsed ${to}`) },
		timing,
		onBusy: (_, waiting) => busy.push(waiting),
		...changes
	});
	const postIf = (to: string, isDue: boolean, ipAddress = '192.0.2.1') =>
		outbox.postIf(
			{ ...codeMail, to: to as Email, device: { ipAddress, userAgent: '' } },
			async () => {
				note(`looked up ${to}`);
				return isDue;
			}
		);
	return { timing, mailer, events, busy, outbox, postIf };
};

/** A mailer that takes 900 ms for an email over five connections. */
const heldPlaces = (timing: Timing, arrive: (to: string) => void): ConditionalMailer => {
	const queue = fairQueue({ width: 5, patience: 60_000, perKey: 100, total: 1_000, timing });
	const keyOf = (mail: Mail): string => ('device' in mail ? mail.device.ipAddress : mail.to);
	return {
		send: (mail) =>
			queue.run<'sent'>(keyOf(mail), async () => {
				arrive(mail.to);
				await new Promise<void>((resolve) => timing.after(900, resolve));
				return 'sent';
			}),
		rehearse: async (mail) => void (await queue.occupy(keyOf(mail), () => Promise.resolve()))
	};
};
const freePlaces: typeof heldPlaces = (timing, arrive) => ({
	...heldPlaces(timing, arrive),
	rehearse: () => Promise.resolve()
});

outboxContract('direct', () => {
	const mailer = memoryMailer();
	return {
		outbox: directOutbox(mailer),
		arrived: () => mailer.mails.map((mail) => JSON.stringify(mail)),
		refused,
		settled: () => Promise.resolve()
	};
});
outboxContract('paced', () => {
	const { outbox, mailer, timing } = setUp();
	return {
		outbox,
		arrived: () => mailer.mails.map((mail) => JSON.stringify(mail)),
		refused,
		settled: () => timing.advance(60_000)
	};
});

describe('R05: the pace of an outbox', () => {
	it('is the same whether or not there is an email, however long sending takes', async () => {
		const runs = await Promise.all(
			[true, false].map(async (isDue) => {
				const { timing, events, outbox, postIf } = setUp({
					conditional: {
						send: () => new Promise((resolve) => timing.after(9_000, () => resolve('sent'))),
						rehearse: () => Promise.resolve()
					}
				});
				const posted = [postIf('target', isDue), postIf('own', true), postIf('own', true)];
				await timing.advance(50);
				posted.push(postIf('late', false));
				expect(await outbox.post(welcome)).toBe('sent');
				await timing.advance(20_000);
				await Promise.all(posted);
				return events;
			})
		);
		expect(runs[0]).toEqual(runs[1]);
		expect(runs[0]).toEqual([
			[`following ${welcome.to}`, 50],
			['looked up target', SLOT],
			['looked up own', 2 * SLOT],
			['looked up own', 3 * SLOT],
			['looked up late', 4 * SLOT]
		]);
	});

	it('also does the work of an email that is not due, with the same mailer', async () => {
		const { timing, events, postIf } = setUp();
		const posted = [postIf('known', true), postIf('unknown', false)];
		await timing.advance(10 * SLOT);
		await Promise.all(posted);
		expect(events).toEqual([
			['looked up known', SLOT],
			['conditional known', SLOT],
			['looked up unknown', 2 * SLOT],
			['rehearsed unknown', 2 * SLOT]
		]);
	});

	it.each([
		['one network', () => '192.0.2.1'],
		['one network each', (email: number) => `192.0.2.${email}`]
	])(
		'with a mail server that takes 900 ms, requested emails arrive at the same moments, from %s',
		async (_, addressOf) => {
			const arrivals = async (isDue: boolean, make: typeof heldPlaces) => {
				const timing = fakeTiming();
				const arrived: (readonly [string, number])[] = [];
				const conditional = make(timing, (to) => arrived.push([to, timing.now()]));
				const { postIf } = setUp({ timing, conditional, perKey: 50, total: 300 });
				// So that the mailer knows how long an email takes.
				const posted = [postIf('own', true)];
				await timing.advance(5_000);
				for (let email = 1; email <= 10; email += 1) {
					posted.push(postIf('target', isDue, addressOf(email)));
				}
				for (let email = 1; email <= 3; email += 1) {
					posted.push(postIf('own', true, addressOf(email)));
					await timing.advance(150);
				}
				await timing.advance(60_000);
				await Promise.all(posted);
				return arrived.filter(([to]) => to === 'own');
			};
			const withAccount = await arrivals(true, heldPlaces);
			expect(withAccount).toHaveLength(4);
			expect(await arrivals(false, heldPlaces)).toEqual(withAccount);
			// If an email that is not due took no place, the moments would differ.
			expect(await arrivals(true, freePlaces)).toEqual(withAccount);
			expect(await arrivals(false, freePlaces)).not.toEqual(withAccount);
		}
	);

	it('serves the networks of clients in turn, and refuses emails without room, due or not', async () => {
		const { timing, events, busy, postIf } = setUp();
		const flood = Array.from({ length: 8 }, (_, index) => postIf('flood', index % 2 === 0));
		const honest = postIf('honest', true, '198.51.100.1');
		await timing.advance(60_000);
		expect(await honest).toBe('sent');
		const outcomes = await Promise.all(flood);
		expect(outcomes.slice(5)).toEqual(['no_room', 'no_room', 'no_room']);
		expect(busy).toEqual([5, 5, 5]);
		const lookups = events.filter(([event]) => event.startsWith('looked up'));
		expect(lookups.slice(0, 3).map(([event]) => event)).toEqual([
			'looked up flood',
			'looked up honest',
			'looked up flood'
		]);
	});

	it('sends queued emails at once when the process stops', async () => {
		const { timing, outbox, postIf } = setUp();
		const posted = Array.from({ length: 5 }, () => postIf('ada@example.com', true));
		outbox.hurry();
		await timing.advance(SLOT);
		expect(await Promise.all(posted)).toEqual(Array.from({ length: 5 }, () => 'sent'));
		expect(timing.timers).toBe(0);
	});
});
