import { describe, expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import { mailboxOf } from '#lib/domain/limits/throttle-send.ts';

const cases: [title: string, email: string, mailbox: string][] = [
	['a plain email address', 'ada@example.com', 'ada@example.com'],
	['a tag', 'ada+news@example.com', 'ada@example.com'],
	['a tag with further plus signs', 'ada+a+b@example.com', 'ada@example.com'],
	['an empty tag', 'ada+@example.com', 'ada@example.com'],
	['nothing but a tag', '+news@example.com', '+news@example.com'],
	['dots elsewhere', 'a.d.a@example.com', 'a.d.a@example.com'],
	['dots at Gmail', 'a.d.a@gmail.com', 'ada@gmail.com'],
	['dots and a tag at Gmail', 'a.da+x.y@gmail.com', 'ada@gmail.com'],
	['the other domain of Gmail', 'a.da+x@googlemail.com', 'ada@gmail.com'],
	['nothing but a tag at Gmail', '+x.y@googlemail.com', '+xy@gmail.com'],
	['a domain that only ends like Gmail', 'a.da@notgmail.com', 'a.da@notgmail.com'],
	['a subdomain of Gmail', 'a.da@mail.gmail.com', 'a.da@mail.gmail.com'],
	['another separator', 'ada-news@yahoo.com', 'ada-news@yahoo.com']
];

describe('the mailbox of an email address', () => {
	it.each(cases)('R16: %s', (_, email, mailbox) => {
		expect(mailboxOf(email as Email)).toBe(mailbox);
		// The mailbox of a mailbox is itself, so rows of plain email addresses keep their key.
		expect(mailboxOf(mailbox as Email)).toBe(mailbox);
	});
});
