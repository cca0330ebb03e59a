import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timedOutboxFixture } from './outbox-fixture.ts';
import { systemTiming } from '#lib/adapters/system/system.ts';
import { conditionalMailer } from '#lib/adapters/mail/conditional-mailer.ts';
import { queued, sendThrough } from '#lib/adapters/mail/smtp-mailer.ts';
import type { Email } from '#lib/domain/email.ts';
import type { Mail, Mailer } from '#lib/domain/mail.ts';
import { providers, smtpTo } from '../../support/mail/mail-settings.ts';
import { exampleMails } from '../../support/mail/examples.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

/*
 * An attacker keeps four of five connections busy, causes an email that only some addresses get, and
 * sends one more email to an own address. `npm run measure` compares the times of the last one.
 */

const { sign_in_code: mail } = exampleMails;
const to = (address: string): Mail => ({ ...mail, to: address as Email });

let sink: SmtpSink;
const opened = providers();
beforeEach(async () => {
	sink = await startSmtpSink();
	// It takes every email and never answers.
	sink.behave('hang_after_data');
});
afterEach(async () => {
	opened.close();
	await sink.stop();
});

const DEADLINE = 60_000;

const openMailer = (): Mailer => {
	const provider = opened.open(smtpTo(sink.port, { deadline: DEADLINE }));
	const tools = { timing: systemTiming, log: () => undefined };
	const queue = { width: 5, capacity: 100, maxWait: DEADLINE, deadline: DEADLINE };
	const keyOf = (mail: Mail): string => mail.to;
	return queued(sendThrough(provider, null, tools), { ...queue, keyOf }, tools);
};

const arrived = (): readonly string[] => sink.mails.map(({ recipients }) => recipients.join());
const expectArrived = (address: string) => expect.poll(arrived).toContain(address);

/** Sends the attacker’s last email, when those of the others hang. */
const sendBeside = async (mailer: Mailer, beside: Mailer): Promise<void> => {
	const conditional = conditionalMailer(beside, () => Promise.resolve(), systemTiming);
	const paces = { conditional: { concurrency: 5, startInterval: 0 } };
	const fixture = timedOutboxFixture({
		timing: systemTiming,
		unconditional: mailer,
		conditional,
		paces
	});
	for (let held = 0; held < 4; held += 1) {
		void mailer.send(to(`held-${held}@example.com`));
		await expectArrived(`held-${held}@example.com`);
	}
	await fixture.addIf('due@example.com', true);
	await expectArrived('due@example.com');
	void mailer.send(to('own@example.com'));
};

describe('R05: an attacker’s own send', () => {
	it('does not wait for an email to another address', async () => {
		await sendBeside(openMailer(), openMailer());
		await expectArrived('own@example.com');
	});
});
