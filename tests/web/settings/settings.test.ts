import { describe, expect, test } from 'vitest';
import { sureForm } from '#lib/adapters/web/account/deletion-section.ts';
import { nameForm } from '#lib/adapters/web/account/profile-section.ts';
import { messages } from '#lib/messages/messages.ts';

describe('a name', () => {
	const refusal = (name: unknown): string | undefined =>
		nameForm.safeParse({ name }).error?.issues[0]?.message;

	test.each([
		['', ''],
		['  Ada Lovelace  ', 'Ada Lovelace'],
		['   ', ''],
		['Zoë ✨ 山田', 'Zoë ✨ 山田'],
		// A family of three, held together by joiners that show nothing.
		['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
		['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
		['x'.repeat(200), 'x'.repeat(200)],
		[` ${'x'.repeat(200)} `, 'x'.repeat(200)]
	])('%j is stored as %j', (typed, kept) =>
		expect(nameForm.parse({ name: typed }).name).toBe(kept)
	);

	test('of more than 200 characters is refused with the limit', () => {
		expect(refusal('x'.repeat(201))).toBe(messages.errors.longName(200));
		expect(refusal('x'.repeat(201))).toContain('200');
	});

	test.each(['a\0b', 'a\nb', 'a\tb', '\u001b[31m', 'a\u2028b', 'a\u202eb', 'a\u2066b', 'a\ud800b'])(
		'%j is refused with a message',
		(name) => expect(refusal(name)).toBe(messages.errors.invalidName)
	);
});

test('an account is deleted only with the box ticked', () => {
	expect(sureForm.safeParse({ sure: true }).success).toBe(true);
	expect(sureForm.safeParse({ sure: false }).error?.issues[0]?.message).toBe(
		messages.errors.unsure
	);
	expect(sureForm.safeParse({}).success).toBe(false);
});
