import { describe, expect, test } from 'vitest';
import { emailNotices } from '#lib/adapters/mail/email-change/email-notices.ts';
import { directOutbox } from '#lib/adapters/mail/delivery/paced-outbox.ts';
import { memoryMailer } from '#lib/adapters/memory/delivery/memory-mailer.ts';
import type { ChangeNotice, Email } from '#lib/domain/index.ts';

const change: ChangeNotice = {
	from: 'ada@example.com' as Email,
	to: 'grace@example.net' as Email,
	at: new Date('2026-11-20T21:39:54Z'),
	device: { ipAddress: '203.0.113.7', userAgent: 'curl/8.5.0' }
};

describe('notices by email', () => {
	test('go to the earlier address of the account, with all known details', async () => {
		const mailer = memoryMailer();
		const notices = emailNotices(directOutbox(mailer), { before: true, after: true });
		await notices.requested(change);
		await notices.completed(change);
		const mail = {
			kind: 'email_change_notice',
			to: change.from,
			newEmail: change.to,
			at: change.at,
			device: change.device
		};
		expect(mailer.mails).toEqual([
			{ ...mail, stage: 'requested' },
			{ ...mail, stage: 'completed' }
		]);
	});

	test.each([
		[{ before: true, after: false }, ['requested']],
		[{ before: false, after: true }, ['completed']],
		[{ before: false, after: false }, []]
	])('are sent if the operator enables them: %j', async (when, stages) => {
		const mailer = memoryMailer();
		const notices = emailNotices(directOutbox(mailer), when);
		await notices.requested(change);
		await notices.completed(change);
		expect(mailer.mails.map((mail) => 'stage' in mail && mail.stage)).toEqual(stages);
	});

	test.each(['refused', 'unknown'] as const)(
		'one that is %s throws, so that it is logged, without an address in the error',
		async (delivery) => {
			const mailer = memoryMailer();
			mailer.meet(delivery);
			const notices = emailNotices(directOutbox(mailer), { before: true, after: true });
			const failure = new Error(`delivery ${delivery}`);
			await expect(notices.requested(change)).rejects.toEqual(failure);
			await expect(notices.completed(change)).rejects.toEqual(failure);
		}
	);
});
