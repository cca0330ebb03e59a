import { describe, expect, it } from 'vitest';
import type { Code, Delivery, Email, Mail, Mailer } from '#lib/domain/index.ts';

const to = 'ada@example.com' as Email;
const codeMail: Mail = { kind: 'sign_in_code', to, code: '012345' as Code, lifetime: 600 };
const welcome: Mail = { kind: 'welcome', to };

export interface OpenedMailer {
	readonly mailer: Mailer;
	/** What arrived so far, as text, one entry for a mail. */
	readonly arrived: () => readonly string[];
	/** Brings about a failure of each kind; null where this mailer cannot fail so. */
	readonly failing: Readonly<Record<Exclude<Delivery, 'sent'>, Email | null>>;
}

export const mailerContract = (name: string, open: () => OpenedMailer): void => {
	describe(`a mailer (${name})`, () => {
		it('hands one mail to one address and says so', async () => {
			const { mailer, arrived } = open();
			expect(await mailer.send(codeMail)).toBe('sent');
			expect(arrived()).toHaveLength(1);
			expect(arrived()[0]).toContain(to);
		});

		it('carries the code with its zeros', async () => {
			const { mailer, arrived } = open();
			await mailer.send(codeMail);
			expect(arrived()[0]).toContain('012345');
		});

		it('sends a welcome, which carries no code', async () => {
			const { mailer, arrived } = open();
			expect(await mailer.send(welcome)).toBe('sent');
			expect(arrived()).toHaveLength(1);
			expect(arrived()[0]).not.toMatch(/\d{6}/);
		});

		it('keeps mails apart and in order', async () => {
			const { mailer, arrived } = open();
			await mailer.send(codeMail);
			await mailer.send({ ...codeMail, to: 'bob@example.com' as Email, code: '999999' as Code });
			expect(arrived()).toHaveLength(2);
			expect(arrived()[1]).toContain('bob@example.com');
			expect(arrived()[1]).not.toContain('012345');
		});

		it('M11: trouble is an outcome, never a fault; a refused mail is not on its way', async () => {
			for (const delivery of ['refused', 'unknown'] as const) {
				const { mailer, arrived, failing } = open();
				const address = failing[delivery];
				if (address === null) continue;
				expect(await mailer.send({ ...codeMail, to: address })).toBe(delivery);
				expect(await mailer.send({ ...welcome, to: address })).toBe(delivery);
				if (delivery === 'refused') expect(arrived()).toEqual([]);
			}
		});
	});
};
