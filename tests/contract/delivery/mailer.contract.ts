import { expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import type { Delivery, Mailer } from '#lib/domain/mail.ts';
import type { Code } from '#lib/domain/secret.ts';
import { EXAMPLE_TOKEN, exampleMails } from '../../support/mail/examples.ts';
import { contract } from '../stores/suite.ts';

const { sign_in_code: codeMail, welcome } = exampleMails;

interface OpenedMailer {
	readonly mailer: Mailer;
	/** The emails that arrived so far, as text, one entry each. */
	readonly arrived: () => readonly string[];
	/** Causes a failure of each kind; null where this mailer cannot fail in that way. */
	readonly failing: Readonly<Record<Exclude<Delivery, 'sent'>, Email | null>>;
}

export const mailerContract = contract('a mailer', (open: () => OpenedMailer) => {
	it.each(Object.values(exampleMails))(
		'sends one email to one address and reports it: $kind',
		async (mail) => {
			const { mailer, arrived } = open();
			expect(await mailer.send(mail)).toBe('sent');
			expect(arrived()).toHaveLength(1);
			expect(arrived()[0]).toContain(mail.to);
		}
	);

	it('carries the code with its zeros', async () => {
		const { mailer, arrived } = open();
		await mailer.send(codeMail);
		expect(arrived()[0]).toContain('012345');
	});

	it('carries the token of a link', async () => {
		const { mailer, arrived } = open();
		await mailer.send(exampleMails.email_change_link);
		expect(arrived()[0]).toContain(EXAMPLE_TOKEN);
	});

	it('sends emails without a code, which grant no access', async () => {
		const { mailer, arrived } = open();
		const { email_change_notice, account_deleted } = exampleMails;
		for (const mail of [welcome, email_change_notice, account_deleted]) await mailer.send(mail);
		expect(arrived()).toHaveLength(3);
		for (const mail of arrived()) expect(mail).not.toMatch(/\b\d{6}\b|token/);
	});

	it('keeps emails separate and in order', async () => {
		const { mailer, arrived } = open();
		await mailer.send(codeMail);
		await mailer.send({ ...codeMail, to: 'bob@example.com' as Email, code: '999999' as Code });
		expect(arrived()).toHaveLength(2);
		expect(arrived()[1]).toContain('bob@example.com');
		expect(arrived()[1]).not.toContain('012345');
	});

	it('M11: a failure is an outcome, never an exception; an email that was not sent, or was busy, is not sent later', async () => {
		for (const delivery of ['not_sent', 'rejected', 'bounced', 'unknown', 'busy'] as const) {
			const { mailer, arrived, failing } = open();
			const address = failing[delivery];
			if (address === null) continue;
			expect(await mailer.send({ ...codeMail, to: address })).toBe(delivery);
			expect(await mailer.send({ ...welcome, to: address })).toBe(delivery);
			if (delivery !== 'unknown') expect(arrived()).toEqual([]);
		}
	});
});
