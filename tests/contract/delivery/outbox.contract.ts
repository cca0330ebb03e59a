import { describe, expect, it } from 'vitest';
import type { Email, Outbox } from '#lib/domain/index.ts';
import { exampleMails } from '../../support/mail/examples.ts';

const { welcome, email_verification_code: codeMail } = exampleMails;
const yes = (): Promise<boolean> => Promise.resolve(true);
const no = (): Promise<boolean> => Promise.resolve(false);

export interface OpenedOutbox {
	readonly outbox: Outbox;
	/** The emails that arrived so far, as text, one entry each. */
	readonly arrived: () => readonly string[];
	/** An address whose emails are refused. */
	readonly refused: Email;
	/** Moves time until everything is done. */
	readonly settled: () => Promise<void>;
}

export const outboxContract = (name: string, open: () => OpenedOutbox): void => {
	describe(`an outbox (${name})`, () => {
		it('sends an unconditional email after the response, and reports it', async () => {
			const { outbox, arrived, settled } = open();
			const posted = outbox.post(welcome);
			await settled();
			expect(await posted).toBe('sent');
			expect(arrived()).toHaveLength(1);
			expect(arrived()[0]).toContain(welcome.to);
		});

		it('sends a conditional email when it is due, and only then', async () => {
			const { outbox, arrived, settled } = open();
			const outcomes = Promise.all([outbox.postIf(codeMail, no), outbox.postIf(codeMail, yes)]);
			await settled();
			expect(await outcomes).toEqual(['not_due', 'sent']);
			expect(arrived()).toHaveLength(1);
			expect(arrived()[0]).toContain(codeMail.to);
		});

		it('reports the outcome of a refused email', async () => {
			const { outbox, arrived, refused, settled } = open();
			const outcomes = Promise.all([
				outbox.post({ ...welcome, to: refused }),
				outbox.postIf({ ...codeMail, to: refused }, yes)
			]);
			await settled();
			expect(await outcomes).toEqual(['refused', 'refused']);
			expect(arrived()).toEqual([]);
		});

		it('sends nothing when the check whether it is due fails, and the caller gets that error', async () => {
			const { outbox, arrived, settled } = open();
			const failing = outbox.postIf(codeMail, () => Promise.reject(new Error('no database')));
			const failed = expect(failing).rejects.toThrow('no database');
			const next = outbox.postIf(codeMail, yes);
			await settled();
			await failed;
			expect(await next).toBe('sent');
			expect(arrived()).toHaveLength(1);
		});
	});
};
