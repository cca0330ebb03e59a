import { describe, expect, test } from 'vitest';
import { messageOf } from '#lib/adapters/mail/message.ts';
import { failureOf } from '#lib/adapters/mail/smtp-failure.ts';
import { messageName } from '#lib/domain/delivery/use-cases.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MailId } from '#lib/domain/ids.ts';
import { aSigner } from '../../support/domain/fixture.ts';

const id = '01955000-0000-7000-8000-000000000001' as MailId;
const ada = 'ada@example.com' as Email;
const sender = (host: string) => ({
	from: { name: 'Postern', address: 'codes@example.org' },
	replyTo: null,
	host,
	messageSigner: aSigner()
});
const name = messageName(aSigner(), id, ada);
const letter = { subject: 's', text: 't', html: 'h' };

describe('the Message-ID of an email', () => {
	test('has its name and the domain of the sender', () => {
		const message = messageOf(sender('smtp.resend.com'), ada, letter, id);
		expect(message.messageId).toBe(`<${name}@example.org>`);
		expect(Object.keys(message.headers ?? {})).toEqual([
			'Auto-Submitted',
			'X-Auto-Response-Suppress'
		]);
	});

	test('is also in the metadata that Postmark repeats, and only there', () => {
		const metadata = { 'X-PM-Metadata-message-id': name };
		const headersAt = (host: string, ...ids: MailId[]) =>
			messageOf(sender(host), ada, letter, ...ids).headers;
		expect(headersAt('smtp.postmarkapp.com', id)).toMatchObject(metadata);
		expect(headersAt('smtp-broadcasts.postmarkapp.com', id)).toMatchObject(metadata);
		expect(headersAt('notpostmarkapp.com', id)).not.toMatchObject(metadata);
		expect(headersAt('smtp.postmarkapp.com')).not.toHaveProperty('X-PM-KeepID');
	});
});

describe('a refusal by the mail server', () => {
	const refusal = (command: string, response: string) =>
		failureOf({ code: 'EENVELOPE', command, response }, false).delivery;

	test.each([
		'550 5.1.1 unknown',
		'550 5.1.10 null MX',
		'550 5.2.1 off',
		'550 No such user',
		'550 <list.block@example.com>: Recipient address rejected',
		'551 User not local',
		'553 Mailbox name not allowed'
	])('of the recipient is about the address: %s', (response) => {
		expect(refusal('RCPT TO', response)).toBe('bounced');
	});

	test.each([
		'554 5.7.1 relay denied',
		'550 5.7.1 blocked',
		'552 full',
		'550 5.2.2 full',
		'550 5.1.7 Bad address of the sender',
		'550 5.1.8 Domain of the sender not found',
		'550 relay not permitted',
		'550 Sender verify failed',
		'550 Your IP address has no name',
		'550 Mail to this user was refused: listed at bl.example.net',
		'550 user@example.com',
		'553 sorry'
	])('of the recipient is not about the address, which may be right: %s', (response) => {
		expect(refusal('RCPT TO', response)).toBe('rejected');
	});

	test('of a sender, a text or for now says nothing about the address', () => {
		expect(refusal('MAIL FROM', '550 5.1.8 bad sender')).toBe('not_sent');
		expect(refusal('DATA', '550 5.1.1 unknown')).toBe('rejected');
		expect(refusal('RCPT TO', '450 4.2.0 later')).toBe('not_sent');
	});
});
