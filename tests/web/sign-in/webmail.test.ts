import { expect, test } from 'vitest';
import { inboxOf } from '#lib/adapters/web/sign-in/pending-code.ts';

test('the inbox of a well-known provider is known, and no other', () => {
	expect(inboxOf('ada@gmail.com')).toEqual({ name: 'Gmail', url: 'https://mail.google.com/' });
	expect(inboxOf('ada@icloud.com')?.name).toBe('iCloud Mail');
	for (const other of ['ada@example.com', 'ada@gmail.com.example', 'gmail.com@example.com', '']) {
		expect(inboxOf(other)).toBeNull();
	}
});
