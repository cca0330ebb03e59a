import { describe, expect, test } from 'vitest';
import { updateUser } from '#lib/adapters/web/account/operations.ts';
import { signIn } from '#lib/adapters/web/sign-in/operations.ts';
import { nameForm } from '#lib/adapters/web/account/settings-section.ts';

const proof = { email: 'ada@example.com', otp: '123456' };
/** Every way in which a name reaches the server. */
const doors = {
	'the form': (name: string) => nameForm.safeParse({ name }),
	'an update over JSON': (name: string) => updateUser.body.schema.safeParse({ name }),
	'a sign-in over JSON': (name: string) => signIn.body.schema.safeParse({ ...proof, name })
};

describe.each(Object.entries(doors))('a name sent by %s', (_, parse) => {
	test.each([
		['', ''],
		[' עדה\u200f \u200e\u061c', 'עדה\u200f \u200e\u061c'],
		['x'.repeat(200), 'x'.repeat(200)]
	])('is stored without surrounding white space: %j', (typed, stored) =>
		expect(parse(typed)).toMatchObject({ success: true, data: { name: stored } })
	);

	test.each(['a\u202eb', 'x'.repeat(201)])('L01: is refused: %j', (typed) =>
		expect(parse(typed).success).toBe(false)
	);
});
