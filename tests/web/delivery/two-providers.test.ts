import { describe, expect, test } from 'vitest';
import type { MailStep } from '#lib/adapters/mail/smtp-failure.ts';
import { sendThrough, type Provider } from '#lib/adapters/mail/smtp-mailer.ts';
import type { Posted, PostOptions } from '#lib/adapters/mail/smtp-pool.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MailId } from '#lib/domain/ids.ts';
import { isFinal, type Mail } from '#lib/domain/mail.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { exampleMails } from '../../support/mail/examples.ts';
import { fakeTiming, type FakeTiming } from '../../support/time/fake-timing.ts';

const { sign_in_code: example } = exampleMails;
const ID = 'id 1' as MailId;

/** A code for another person, unless the email address is given. */
const aCode = (to?: string, at = example.at): Mail => {
	emails += 1;
	return { ...example, to: (to ?? `ada${emails}@host${emails}.example.com`) as Email, at };
};
let emails = 0;

const failed = (
	step: MailStep,
	code: string,
	delivery: 'not_sent' | 'unknown' | 'rejected' | 'bounced' = 'not_sent'
): Posted => ({ delivery, step, code, reason: code });
const SENT: Posted = { delivery: 'sent', reply: '250 ok' };

/** A provider that exists only in time. */
const scripted = (name: Provider['name'], timing: FakeTiming) => {
	const given: { mail: Mail; options: PostOptions }[] = [];
	let next: { outcome: Posted | Error; after: number } = { outcome: SENT, after: 0 };
	return {
		name,
		host: `${name}.example.net`,
		given,
		post: (mail: Mail, options: PostOptions): Promise<Posted> => {
			given.push({ mail, options });
			const { outcome, after } = next;
			if (outcome instanceof Error) return Promise.reject(outcome);
			if (after === 0) return Promise.resolve(outcome);
			const takes = Math.min(after, options.within ?? Infinity);
			return new Promise((resolve) => timing.after(takes, () => resolve(outcome)));
		},
		/** From now on, all emails have this outcome, after so many milliseconds. */
		meet: (outcome: Posted | Error, after = 0): void => void (next = { outcome, after }),
		/** From now on, no email is answered in its time. */
		hang: (delivery: 'not_sent' | 'unknown' = 'not_sent'): void =>
			void (next = { outcome: failed('deadline', 'ETIMEDOUT', delivery), after: Infinity })
	};
};

const setUp = () => {
	const timing = fakeTiming();
	const events: object[] = [];
	const [primary, fallback] = [scripted('primary', timing), scripted('fallback', timing)];
	const log = (name: string, fields: object = {}): void => void events.push({ name, ...fields });
	const sendWithin = sendThrough(primary, fallback, { timing, log });
	/** Sends an email, and lets time go on until it has an outcome. Returns that and the time. */
	const send = async (mail = aCode()) => {
		const began = timing.now();
		let delivery: string | null = null;
		let took = 0;
		void sendWithin(mail, ID, 9_000).then((outcome) => {
			delivery = outcome;
			took = timing.now() - began;
		});
		await timing.advance(0);
		for (let second = 0; second < 20 && delivery === null; second += 1) await timing.advance(500);
		return { delivery, took };
	};
	const counts = () => [primary.given.length, fallback.given.length];
	/** Three failures in a row. */
	const fail = async (provider = primary, outcome = failed('connect', 'ECONNREFUSED')) => {
		provider.meet(outcome);
		for (let failure = 0; failure < 3; failure += 1) await send();
	};
	return { primary, fallback, timing, events, sendWithin, send, counts, fail };
};

describe('an email with two providers', () => {
	test('goes by the first alone while that works', async () => {
		const { send, counts, events } = setUp();
		expect(await send()).toEqual({ delivery: 'sent', took: 0 });
		expect(counts()).toEqual([1, 0]);
		expect(events).toEqual([
			{
				name: 'mail_sent',
				mail: 'sign_in_code',
				delivery: 'sent',
				provider: 'primary',
				host: 'primary.example.net',
				id: ID
			}
		]);
	});

	test.each([
		failed('connect', 'ECONNREFUSED'),
		failed('recipient', '550 5.1.1', 'bounced'),
		failed('content', '554 5.6.0', 'rejected'),
		failed('connection', 'ECONNRESET', 'unknown')
	])('goes by the second when the first does not take it: %j', async (outcome) => {
		const { primary, fallback, send, events } = setUp();
		primary.meet(outcome);
		const mail = aCode();
		expect((await send(mail)).delivery).toBe('sent');
		expect(fallback.given).toEqual([{ mail, options: { id: ID, within: 9_000 } }]);
		expect(events).toMatchObject([
			{ name: 'mail_failed', provider: 'primary', delivery: outcome.delivery, id: ID },
			{ name: 'mail_sent', provider: 'fallback', delivery: 'sent', id: ID }
		]);
		expect(JSON.stringify(events)).not.toMatch(/ada|012345/);
	});

	test('goes by the second after 3 s, with the same code, even if the first may have it', async () => {
		for (const delivery of ['not_sent', 'unknown'] as const) {
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
		expect(await send()).toEqual({ delivery: 'not_sent', took: 9_000 });
		primary.hang('unknown');
		expect(await send()).toEqual({ delivery: 'unknown', took: 9_000 });
	});

	test.each([
		['unknown', 'not_sent', 'unknown'],
		['rejected', 'not_sent', 'not_sent'],
		['not_sent', 'rejected', 'not_sent'],
		['rejected', 'rejected', 'rejected'],
		['bounced', 'not_sent', 'not_sent'],
		['bounced', 'rejected', 'rejected'],
		['bounced', 'bounced', 'bounced']
	] as const)('%s by one and %s by the other: %s', async (one, other, together) => {
		const { primary, fallback, send } = setUp();
		const outcome = (delivery: typeof one | typeof other) =>
			failed('recipient', isFinal(delivery) ? '550' : '450', delivery);
		primary.meet(outcome(one));
		fallback.meet(outcome(other));
		expect((await send()).delivery).toBe(together);
	});
});

describe('a provider that fails three times in a row', () => {
	test.each([failed('connect', 'ECONNREFUSED'), failed('connection', 'ECONNRESET', 'unknown')])(
		'is skipped for 30 s: %j',
		async (outcome) => {
			const { primary, timing, fail, send, counts } = setUp();
			await fail(primary, outcome);
			await send();
			await timing.advance(29_000);
			await send();
			expect(counts()).toEqual([3, 5]);
			await timing.advance(1_000);
			primary.meet(SENT);
			await send();
			await send();
			expect(counts()).toEqual([5, 5]);
		}
	);

	test('an email that it took between them, or refused for good, begins the count anew', async () => {
		for (const answer of [SENT, failed('recipient', '550 5.1.1', 'bounced')]) {
			const { primary, send, counts } = setUp();
			for (let round = 0; round < 5; round += 1) {
				primary.meet(failed('connection', 'ECONNRESET'));
				await send();
				await send();
				primary.meet(answer);
				await send();
			}
			expect(counts()[0]).toBe(15);
		}
	});

	test('is then tried with exactly one email, while the others go by the second', async () => {
		const { primary, timing, fail, sendWithin, send, counts } = setUp();
		await fail();
		await timing.advance(30_000);
		primary.hang();
		const sent = Array.from({ length: 20 }, () => sendWithin(aCode(), ID, 9_000));
		await timing.advance(0);
		expect(counts()).toEqual([4, 22]);
		await timing.advance(3_000);
		expect(new Set(await Promise.all(sent))).toEqual(new Set(['sent']));
		// The attempt failed, so the next 30 s begin.
		await timing.advance(29_000);
		await send();
		expect(counts()).toEqual([4, 24]);
		await timing.advance(1_000);
		primary.meet(SENT);
		await send();
		await send();
		expect(counts()).toEqual([6, 24]);
	});

	test('is tried again after 30 s when the email could not be rendered', async () => {
		const { primary, timing, fail, sendWithin, send, counts } = setUp();
		await fail();
		await timing.advance(30_000);
		primary.meet(new Error('no template'));
		await expect(sendWithin(aCode(), ID, 9_000)).rejects.toThrow('no template');
		primary.meet(SENT);
		await timing.advance(30_000);
		await send();
		expect(counts()).toEqual([5, 3]);
	});

	test('is the last resort while it is skipped', async () => {
		const { primary, fallback, fail, send, counts } = setUp();
		await fail();
		primary.meet(SENT);
		fallback.meet(failed('recipient', '450'));
		expect((await send()).delivery).toBe('sent');
		expect(counts()).toEqual([4, 4]);
	});

	test('leaves the other one the whole time', async () => {
		const { primary, fallback, fail, send } = setUp();
		await fail();
		fallback.meet(SENT, 8_000);
		expect(await send()).toEqual({ delivery: 'sent', took: 8_000 });
		expect(primary.given).toHaveLength(3);
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

	test('goes by the first when the earlier one has expired', async () => {
		const { send, timing, counts } = setUp();
		// The cache takes the moment 0 for none.
		await timing.advance(1);
		await send(aCode('ada@example.com'));
		await timing.advance(600_001);
		await send(aCode('ada@example.com', later(660)));
		expect(counts()).toEqual([2, 0]);
	});

	test('is no further attempt of the outbox with the same code', async () => {
		const { send, counts } = setUp();
		await send(aCode('ada@example.com'));
		await send(aCode('ada@example.com'));
		expect(counts()).toEqual([2, 0]);
	});

	test('goes by the first when the other provider is skipped', async () => {
		const { primary, fallback, send, counts } = setUp();
		primary.meet(failed('recipient', '550', 'rejected'));
		fallback.meet(failed('auth', '535'));
		for (let failure = 0; failure < 3; failure += 1) await send();
		primary.meet(SENT);
		await send(aCode('ada@example.com'));
		await send(aCode('ada@example.com', later(60)));
		expect(counts()).toEqual([5, 3]);
	});
});
