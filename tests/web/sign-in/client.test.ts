import { expect, test } from 'vitest';
import { codeKeyOf, proofScopeOf } from '#lib/adapters/web/edge/client.ts';

test.each([
	['key', false, 'key', 'browser key'],
	['key', true, 'key hidden', 'browser key'],
	[null, true, null, null]
])(
	'with the code key %j, on a page that hides the email address: %s, codes are bound to %j and proofs to %j',
	(codeKey, hidesEmail, boundTo, client) => {
		const locals: unknown = { ownCookies: { get: () => codeKey }, rules: { hidesEmail } };
		const event = { locals: locals as App.Locals };
		expect([codeKeyOf(event), proofScopeOf(event, '').client]).toEqual([boundTo, client]);
	}
);
