import { describe, expect, test } from 'vitest';
import { mailNotices } from '#lib/adapters/mail/open-delivery.ts';
import { memoryMailer } from '../../support/memory/mailer.ts';
import type { MailId } from '#lib/domain/ids.ts';
import { exampleMails } from '../../support/mail/examples.ts';

const notice = exampleMails.email_change_notice;
const id = '01955000-0000-7000-8000-000000000001' as MailId;

describe('notices by email', () => {
	test.each(['sent', 'not_sent', 'unknown', 'busy', 'rejected'] as const)(
		'go to the mailer as they are, which decides: %s',
		async (delivery) => {
			const mailer = memoryMailer();
			mailer.meet(delivery);
			const notices = mailNotices(mailer, { before: true, after: true });
			expect(await notices.send(notice, id)).toBe(delivery);
			expect(mailer.mails).toEqual(delivery === 'sent' || delivery === 'unknown' ? [notice] : []);
		}
	);
});
