import { expect, test } from 'vitest';
import { webmailOf } from '#lib/adapters/web/sign-in/webmail.ts';

test('the inbox of a well-known provider is known, and no other', () => {
	expect(webmailOf('ada@gmail.com')).toEqual({ name: 'Gmail', url: 'https://mail.google.com/' });
	expect(webmailOf('ada@icloud.com')?.name).toBe('iCloud Mail');
	for (const other of ['ada@example.com', 'ada@gmail.com.example', 'gmail.com@example.com', '']) {
		expect(webmailOf(other)).toBeNull();
	}
});
