import { describe, expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import type { EmailId } from '#lib/domain/ids.ts';
import { messageName, readMessageName } from '#lib/domain/delivery/bounces/message-name.ts';
import { aSigner } from '../../../support/domain/fixture.ts';

const signer = aSigner('new');
const ada = 'ada@example.com' as Email;
const id = '01955000-0000-7000-8000-000000000001' as EmailId;
const name = messageName(signer, id, ada);

describe('the name of an email in its Message-ID', () => {
	it('leads back to the email, with or without brackets and domain', () => {
		for (const text of [name, `<${name}@example.org>`, `${name}@example.org`, ` <${name}> `]) {
			expect(readMessageName(signer, text, ada)).toBe(id);
		}
	});

	it('fits into the metadata of Postmark, and into an address', () => {
		expect(name.length).toBeLessThanOrEqual(80);
		expect(name).toMatch(/^[\w.-]+$/);
	});

	it('also does during a change of the secret', () => {
		expect(readMessageName(aSigner('newer', 'new'), name, ada)).toBe(id);
		expect(readMessageName(aSigner('newer'), name, ada)).toBeNull();
	});

	it.each([
		['of another recipient', name, 'bob@example.com'],
		['of another email', name.replace('0001.', '0002.'), ada],
		['without a signature', id, ada],
		['with a shorter one', name.slice(0, -1), ada],
		['of another system', '<CAF=abc@mail.example.net>', ada],
		['in a longer text', `x ${name}`, ada],
		['of nothing', '', ada]
	])('is not one %s', (_what, text, to) => {
		expect(readMessageName(signer, text, to as Email)).toBeNull();
	});
});
