import { describe, expect, it } from 'vitest';
import type { Email, Outbox } from '#lib/domain/index.ts';
import { exampleMails } from '../../support/mail/examples.ts';

const { welcome, email_verification_code: codeMail } = exampleMails;
const yes = (): Promise<boolean> => Promise.resolve(true);
const no = (): Promise<boolean> => Promise.resolve(false);

export interface OpenedOutbox {
	readonly outbox: Outbox;
	/** What arrived so far, as text, one entry for a mail. */
	readonly arrived: () => readonly string[];
	/** An address whose mails are refused. */
	readonly refused: Email;
	/** Lets so much time pass that everything is done. */
	readonly settled: () => Promise<void>;
}

export const outboxContract = (name: string, open: () => OpenedOutbox): void => {
	describe(`an outbox (${name})`, () => {
		it('sends what follows for everybody, and says so', async () => {
			const { outbox, arrived, settled } = open();
			const posted = outbox.post(welcome);
			await settled();
			expect(await posted).toBe('sent');
			expect(arrived()).toHaveLength(1);
			expect(arrived()[0]).toContain(welcome.to);
		});

		it('sends what follows for some when it is due, and only then', async () => {
			const { outbox, arrived, settled } = open();
			const outcomes = Promise.all([outbox.postIf(codeMail, no), outbox.postIf(codeMail, yes)]);
			await settled();
			expect(await outcomes).toEqual(['not_due', 'sent']);
			expect(arrived()).toHaveLength(1);
			expect(arrived()[0]).toContain(codeMail.to);
		});

		it('says what became of a mail that is refused', async () => {
			const { outbox, arrived, refused, settled } = open();
			const outcomes = Promise.all([
				outbox.post({ ...welcome, to: refused }),
				outbox.postIf({ ...codeMail, to: refused }, yes)
			]);
			await settled();
			expect(await outcomes).toEqual(['refused', 'refused']);
			expect(arrived()).toEqual([]);
		});

		it('sends nothing when the question whether it is due fails, which its caller learns', async () => {
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
