import { afterEach, describe, expect, it } from 'vitest';
import { emailRenderer } from '#lib/adapters/mail/email-renderer.ts';
import { timedBench } from '../../support/mail/outbox-bench.ts';
import { systemTiming } from '#lib/adapters/system/system-timing.ts';
import { smtpMailer, type SmtpMailer } from '#lib/adapters/mail/smtp-mailer.ts';
import type { ConditionalMailer, Email, Mail, Mailer } from '#lib/domain/index.ts';
import { auc } from '../../support/time/auc.ts';
import { exampleMails } from '../../support/mail/examples.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

/*
 * A short enumeration measurement without the server: an attacker keeps four of five connections
 * busy, causes an email that only some addresses get, and times one more send of their own.
 */

/** How long the mail server takes for an email, and how long a slot lasts, in milliseconds. */
const DELAY = 4;
const SLOT = 3;
/** Long enough to measure on a busy machine. */
const NAIVE_DELAY = 20;
const held = 'held@example.com' as Email;
const { sign_in_code: ownMail } = exampleMails;
const site = {
	name: 'Postern',
	origin: 'https://auth.example.org',
	supportEmail: null,
	signInLayout: 'split'
} as const;

let sink: SmtpSink;
const opened: SmtpMailer[] = [];
const startSink = async (delay: number): Promise<void> => {
	sink = await startSmtpSink({ delay });
	sink.behave('hang_after_data', held);
};
afterEach(async () => {
	for (const mailer of opened.splice(0)) mailer.close();
	await sink.stop();
});

const openMailer = (): SmtpMailer => {
	const settings = {
		host: '127.0.0.1',
		port: sink.port,
		implicitTls: false,
		plain: true,
		user: 'postern',
		key: 'none',
		from: { name: 'Postern', address: 'no-reply@example.org' },
		replyTo: null,
		helloName: 'auth.example.org',
		connections: 5,
		deadline: 60_000
	};
	const queue = {
		timing: systemTiming,
		patience: 60_000,
		perKey: 100,
		total: 100,
		keyOf: (mail: Mail) => mail.to
	};
	const mailer = smtpMailer(settings, emailRenderer(site), () => undefined, queue);
	opened.push(mailer);
	return mailer;
};

/** Times the attacker’s sends next to emails that are due and emails that are not. */
const measure = async (
	mailer: Mailer,
	conditional: ConditionalMailer,
	slot: number,
	pairs: number
): Promise<number> => {
	let ended = (): void => undefined;
	const andEnd = async <T>(work: Promise<T>): Promise<T> => work.finally(() => ended());
	const bench = timedBench({
		timing: systemTiming,
		following: mailer,
		conditional: {
			send: (mail) => andEnd(conditional.send(mail)),
			rehearse: (mail) => andEnd(conditional.rehearse(mail))
		},
		paces: { conditional: { places: 5, slot } }
	});
	const holding = Array.from({ length: 4 }, () => mailer.send({ ...ownMail, to: held }));
	sink.forget();
	await expect.poll(() => sink.mails.length).toBe(4);
	const taken: Record<'due' | 'notDue', number[]> = { due: [], notDue: [] };
	const time = async (isDue: boolean): Promise<void> => {
		const other = new Promise<void>((resolve) => (ended = resolve));
		await bench.addIf(isDue ? 'due@example.com' : 'not-due@example.com', isDue);
		// The attacker gets the response to that before the next request.
		await new Promise((resolve) => setImmediate(resolve));
		const began = performance.now();
		await mailer.send(ownMail);
		taken[isDue ? 'due' : 'notDue'].push(performance.now() - began);
		await other;
	};
	// The first run is slower.
	for (let warmUp = 0; warmUp < 10; warmUp += 1) await time(warmUp % 2 === 0);
	taken.due = [];
	taken.notDue = [];
	for (let pair = 0; pair < pairs; pair += 1) {
		for (const isDue of Math.random() < 0.5 ? [true, false] : [false, true]) await time(isDue);
	}
	sink.dropConnections();
	await Promise.all(holding);
	return auc(taken.due, taken.notDue);
};

describe('R05: the duration of an attacker’s own send', () => {
	it('reveals nothing about an email to another address: AUC at most 0.6 over 200 pairs', async () => {
		await startSink(DELAY);
		const mailer = openMailer();
		const conditional = openMailer();
		const first = await measure(mailer, conditional, SLOT, 200);
		if (first <= 0.6) return;
		// Chance alone exceeds the bound once in a thousand runs, but hardly twice in a row.
		expect(await measure(mailer, conditional, SLOT, 200)).toBeLessThanOrEqual(0.6);
	});

	it('reveals such an email when both share the connections to the mail server', async () => {
		await startSink(NAIVE_DELAY);
		const mailer = openMailer();
		const shared = { send: mailer.send, rehearse: () => Promise.resolve() };
		expect(await measure(mailer, shared, 0, 20)).toBeGreaterThan(0.9);
	});
});
