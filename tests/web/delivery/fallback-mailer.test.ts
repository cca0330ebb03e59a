import { describe, expect, test } from 'vitest';
import { fallbackMailer, type AttemptEvent } from '#lib/adapters/mail/fallback/fallback-mailer.ts';
import { providerHealth } from '#lib/adapters/mail/fallback/provider-health.ts';
import { resendMemory } from '#lib/adapters/mail/fallback/resend-memory.ts';
import { watchSignIns } from '#lib/adapters/mail/fallback/watch-sign-ins.ts';
import type { Email } from '#lib/domain/email.ts';
import type { EmailId } from '#lib/domain/ids.ts';
import { isFinal, type Mail } from '#lib/domain/mail.ts';
import type { FoundDeleted, Redeemed, Redemption } from '#lib/domain/sign-in/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { exampleMails } from '../../support/mail/examples.ts';
import { failed, scriptedRoute, SENT } from '../../support/mail/scripted-route.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';

const { sign_in_code: example, welcome } = exampleMails;

/** A code for another person, unless the email address is given. */
const aCode = (to?: string, at = example.at): Mail => {
	emails += 1;
	return { ...example, to: (to ?? `ada${emails}@host${emails}.example.com`) as Email, at };
};
let emails = 0;

const setUp = () => {
	const timing = fakeTiming();
	const events: AttemptEvent[] = [];
	const routes = { primary: scriptedRoute(timing), fallback: scriptedRoute(timing) };
	const provider = (name: 'primary' | 'fallback') => ({
		name,
		host: `${name}.example.net`,
		route: routes[name],
		health: providerHealth(timing)
	});
	const resends = resendMemory(timing);
	let ids = 0;
	const mailer = fallbackMailer({
		primary: provider('primary'),
		fallback: provider('fallback'),
		resends,
		deadline: 9_000,
		firstWithin: 3_000,
		nextId: () => `id ${(ids += 1)}` as EmailId,
		timing,
		log: (event) => events.push(event)
	});
	/** Sends an email, and lets time go on until it has an outcome. Returns that and the time. */
	const send = async (mail = aCode()) => {
		const began = timing.now();
		let delivery: string | null = null;
		let took = 0;
		void mailer.send(mail).then((outcome) => {
			delivery = outcome;
			took = timing.now() - began;
		});
		await timing.advance(0);
		for (let second = 0; second < 20 && delivery === null; second += 1) await timing.advance(500);
		return { delivery, took };
	};
	const counts = () => [routes.primary.given.length, routes.fallback.given.length];
	return { ...routes, timing, events, mailer, resends, send, counts };
};

/** Failures of a provider, whatever the recipient. */
const OWN = [
	failed('dns', 'ENOTFOUND'),
	failed('connect', 'ECONNREFUSED'),
	failed('tls', 'CERT_HAS_EXPIRED'),
	failed('greeting', '421 4.3.2'),
	failed('auth', '535 5.7.8'),
	failed('sender', '451 4.7.1')
];

describe('an email with two providers', () => {
	test('goes by the first alone while that works', async () => {
		const { send, counts, events } = setUp();
		expect(await send()).toEqual({ delivery: 'sent', took: 0 });
		expect(counts()).toEqual([1, 0]);
		expect(events).toEqual([
			{
				...{ mail: 'sign_in_code', delivery: 'sent', provider: 'primary' },
				...{ host: 'primary.example.net', id: 'id 1' }
			}
		]);
	});

	test.each([
		...OWN,
		failed('recipient', '450 4.2.0'),
		failed('recipient', '550 5.1.1', 'bounced'),
		failed('content', '554 5.6.0', 'rejected'),
		failed('connection', 'ECONNRESET'),
		{ delivery: 'busy', waiting: 7 } as const
	])('goes by the second when the first does not take it: %j', async (outcome) => {
		const { primary, fallback, send, events } = setUp();
		primary.meet(outcome);
		const mail = aCode();
		expect((await send(mail)).delivery).toBe('sent');
		expect(fallback.given).toEqual([{ mail, options: { id: 'id 1', within: 9_000 } }]);
		expect(events.map(({ provider, delivery, id }) => [provider, delivery, id])).toEqual([
			['primary', outcome.delivery, 'id 1'],
			['fallback', 'sent', 'id 1']
		]);
		expect(JSON.stringify(events)).not.toMatch(/ada|012345/);
	});

	test('goes by the second after 3 s, with the same code, even if the first may have it', async () => {
		for (const delivery of ['refused', 'unknown'] as const) {
			const { primary, fallback, send } = setUp();
			primary.hang(delivery);
			fallback.meet(SENT, 5_000);
			const mail = aCode();
			expect(await send(mail)).toEqual({ delivery: 'sent', took: 8_000 });
			expect(fallback.given[0]?.mail).toBe(mail);
		}
	});

	test('has an outcome within 9 s, whatever the two do', async () => {
		const { primary, fallback, send } = setUp();
		primary.hang();
		fallback.hang();
		expect(await send()).toEqual({ delivery: 'refused', took: 9_000 });
		primary.hang('unknown');
		expect(await send()).toEqual({ delivery: 'unknown', took: 9_000 });
	});

	test.each([
		['unknown', 'refused', 'unknown'],
		['busy', 'refused', 'busy'],
		['rejected', 'refused', 'refused'],
		['refused', 'rejected', 'refused'],
		['rejected', 'rejected', 'rejected'],
		['bounced', 'refused', 'refused'],
		['bounced', 'rejected', 'rejected'],
		['bounced', 'bounced', 'bounced']
	] as const)('%s by one and %s by the other: %s', async (one, other, together) => {
		const { primary, fallback, send } = setUp();
		const outcome = (delivery: typeof one | typeof other) =>
			delivery === 'busy'
				? ({ delivery, waiting: 1 } as const)
				: failed('recipient', isFinal(delivery) ? '550' : '450', delivery);
		primary.meet(outcome(one));
		fallback.meet(outcome(other));
		expect((await send()).delivery).toBe(together);
	});

	test('that is not due takes the way of the last one, and sends nothing', async () => {
		const { primary, fallback, mailer, send, counts } = setUp();
		await mailer.rehearse(welcome);
		primary.meet(failed('content', '451'));
		await send();
		await mailer.rehearse(welcome);
		expect([primary.rehearsed.length, fallback.rehearsed.length]).toEqual([2, 1]);
		expect(counts()).toEqual([1, 1]);
	});
});

describe('a provider that fails', () => {
	test.each(OWN)('is skipped for 30 s: %j', async (outcome) => {
		const { primary, timing, send, counts } = setUp();
		primary.meet(outcome);
		await send();
		await send();
		await timing.advance(29_000);
		await send();
		expect(counts()).toEqual([1, 3]);
		await timing.advance(1_000);
		await send();
		expect(counts()).toEqual([2, 4]);
	});

	test('is then tried with exactly one email, while the others go by the second', async () => {
		const { primary, timing, mailer, send, counts } = setUp();
		primary.meet(failed('connect', 'ECONNREFUSED'));
		await send();
		await timing.advance(30_000);
		primary.hang();
		const sent = Array.from({ length: 20 }, () => mailer.send(aCode()));
		await timing.advance(0);
		expect(counts()).toEqual([2, 20]);
		await timing.advance(3_000);
		expect(new Set(await Promise.all(sent))).toEqual(new Set(['sent']));
		// The trial failed, so the next 30 s begin.
		await timing.advance(29_000);
		await send();
		expect(counts()).toEqual([2, 22]);
		await timing.advance(1_000);
		primary.meet(SENT);
		await send();
		await send();
		expect(counts()).toEqual([4, 22]);
	});

	test('is tried again with the next email when the trial never left the queue', async () => {
		const { primary, timing, send, counts } = setUp();
		primary.meet(failed('connect', 'ECONNREFUSED'));
		await send();
		await timing.advance(30_000);
		primary.meet({ delivery: 'busy', waiting: 1 });
		await send();
		primary.meet(SENT);
		await send();
		expect(counts()).toEqual([3, 2]);
	});

	test('is tried again with the next email when the trial could not be rendered', async () => {
		const { primary, timing, mailer, send, counts } = setUp();
		primary.meet(failed('connect', 'ECONNREFUSED'));
		await send();
		await timing.advance(30_000);
		primary.break(new Error('no template'));
		await expect(mailer.send(aCode())).rejects.toThrow('no template');
		primary.meet(SENT);
		await send();
		expect(counts()).toEqual([3, 1]);
	});

	test.each([failed('deadline', 'ETIMEDOUT'), failed('connection', 'ECONNRESET', 'unknown')])(
		'after it knew the recipient is skipped at the third failure in a row: %j',
		async (outcome) => {
			const { primary, send, counts } = setUp();
			primary.meet(outcome);
			await send();
			await send();
			primary.meet(SENT);
			await send();
			primary.meet(outcome);
			for (let failure = 0; failure < 3; failure += 1) await send();
			expect(counts()).toEqual([6, 5]);
			await send();
			expect(counts()).toEqual([6, 6]);
		}
	);

	test('is the last resort while it is skipped, but not for a bad recipient', async () => {
		const { primary, fallback, send, counts } = setUp();
		primary.meet(failed('auth', '535'));
		await send();
		fallback.meet(failed('recipient', '550', 'rejected'));
		expect((await send()).delivery).toBe('refused');
		fallback.meet(failed('recipient', '550 5.1.1', 'bounced'));
		expect((await send()).delivery).toBe('bounced');
		expect(counts()).toEqual([1, 3]);
		fallback.meet(failed('recipient', '450'));
		primary.meet(SENT);
		expect((await send()).delivery).toBe('sent');
		expect(counts()).toEqual([2, 4]);
	});

	test('the second is skipped too, and the first then has the whole time', async () => {
		const { primary, fallback, send } = setUp();
		primary.meet(failed('recipient', '450'));
		fallback.meet(failed('auth', '535 5.7.8'));
		expect((await send()).delivery).toBe('refused');
		primary.meet(SENT, 8_000);
		expect(await send()).toEqual({ delivery: 'sent', took: 8_000 });
	});
});

describe('an attacker who chooses recipients', () => {
	test('cannot make all emails go by the second: refused mailboxes never count', async () => {
		const { primary, send, counts } = setUp();
		for (const outcome of [
			failed('recipient', '550 5.1.1', 'rejected'),
			failed('content', '554 5.6.0', 'rejected')
		]) {
			primary.meet(outcome);
			for (let attack = 0; attack < 20; attack += 1) await send();
		}
		primary.meet(SENT);
		await send();
		expect(counts()).toEqual([41, 40]);
	});

	test('cannot do it with a domain that refuses for now, such as by greylisting', async () => {
		const { primary, send, counts } = setUp();
		primary.meet(failed('recipient', '450 4.2.0'));
		for (let attack = 0; attack < 20; attack += 1) await send(aCode(`x${attack}@evil.example`));
		expect(counts()).toEqual([20, 20]);
		// Other domains show that the provider refuses everything.
		await send();
		await send();
		await send();
		expect(counts()).toEqual([22, 23]);
	});

	test('cannot keep a provider skipped: any answer about a recipient ends it', async () => {
		const { primary, timing, send, counts } = setUp();
		primary.meet(failed('connect', 'ECONNREFUSED'));
		await send();
		await timing.advance(30_000);
		primary.meet(failed('recipient', '450 4.2.0'));
		await send();
		primary.meet(SENT);
		await send();
		expect(counts()).toEqual([3, 2]);
	});
});

describe('a code that is requested again', () => {
	const later = (seconds: number): Date => secondsAfter(example.at, seconds);

	test('goes by the other provider, and the next one by the first again', async () => {
		const { send, counts } = setUp();
		await send(aCode('ada@example.com'));
		await send(aCode('ada@example.com', later(60)));
		expect(counts()).toEqual([1, 1]);
		await send(aCode('grace@example.net', later(60)));
		await send(aCode('ada@example.com', later(120)));
		expect(counts()).toEqual([3, 1]);
	});

	test('goes by the first when the earlier one was used or has expired', async () => {
		const { send, timing, resends, counts } = setUp();
		await send(aCode('ada@example.com'));
		resends.forget('ada@example.com' as Email);
		await send(aCode('ada@example.com', later(60)));
		await timing.advance(600_000);
		await send(aCode('ada@example.com', later(660)));
		expect(counts()).toEqual([3, 0]);
	});

	test('is no further attempt of the outbox with the same code', async () => {
		const { send, counts } = setUp();
		await send(aCode('ada@example.com'));
		await send(aCode('ada@example.com'));
		expect(counts()).toEqual([2, 0]);
	});

	test('goes by the first when the other provider is skipped', async () => {
		const { primary, fallback, send, counts } = setUp();
		primary.meet(failed('recipient', '450'));
		fallback.meet(failed('auth', '535'));
		await send();
		primary.meet(SENT);
		await send(aCode('ada@example.com'));
		await send(aCode('ada@example.com', later(60)));
		expect(counts()).toEqual([3, 1]);
	});

	test('is remembered without email addresses, for a bounded number of them', () => {
		const timing = fakeTiming();
		const resends = resendMemory(timing, 2);
		const names = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
		for (const name of names) resends.remember(aCode(name), 'primary');
		const known = names.map((name) => resends.earlierOf(aCode(name, later(1))));
		expect(known).toEqual([null, 'primary', 'primary']);
	});

	test('goes by the first again once its code was redeemed, not when it was refused', async () => {
		const { send, resends, counts } = setUp();
		let answer: Redeemed | FoundDeleted | null = null;
		const signIns = watchSignIns({ redeem: async () => answer }, resends);
		const redemption = { email: 'ada@example.com' } as Redemption;
		await send(aCode('ada@example.com'));
		await signIns.redeem(redemption);
		await send(aCode('ada@example.com', later(60)));
		expect(counts()).toEqual([1, 1]);
		answer = { kind: 'deleted', deletedAt: example.at };
		await signIns.redeem(redemption);
		await send(aCode('ada@example.com', later(120)));
		expect(counts()).toEqual([2, 1]);
	});
});
