import { describe, expect, test } from 'vitest';
import { hmacSigner } from '#lib/adapters/crypto/hmac.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import { newFormToken, isFormToken } from '#lib/adapters/web/edge/form-token.ts';
import type { CodeKey } from '#lib/domain/secret.ts';

const signer = hmacSigner(deriveKeys('a secret', [], 'form-signature'));
const codeKey = 'one browser' as CodeKey;
const nonce = (fill: number): Uint8Array => new Uint8Array(16).fill(fill);

describe('the token of a form', () => {
	test('is valid in the browser it was made for, and in no other', () => {
		const token = newFormToken(codeKey, nonce(7), signer);
		expect(isFormToken(token, codeKey, signer)).toBe(true);
		expect(isFormToken(token, 'another browser' as CodeKey, signer)).toBe(false);
		expect(isFormToken(token, null, signer)).toBe(false);
		const ofNull = newFormToken('null' as CodeKey, nonce(7), signer);
		expect(isFormToken(ofNull, null, signer)).toBe(false);
	});

	test('differs from page to page', () => {
		expect(newFormToken(codeKey, nonce(1), signer)).not.toBe(
			newFormToken(codeKey, nonce(2), signer)
		);
	});

	test('cannot be assembled from parts of others', () => {
		const [first = '', second = ''] = [nonce(1), nonce(2)].map((one) =>
			newFormToken(codeKey, one, signer)
		);
		expect(isFormToken(`${first.split('.')[0]}.${second.split('.')[1]}`, codeKey, signer)).toBe(
			false
		);
	});

	test('is nothing else that has its signature: no other nonce, and no more parts', () => {
		const short = newFormToken(codeKey, nonce(7).slice(1), signer);
		const long = `${newFormToken(codeKey, nonce(7), signer)}.x`;
		for (const value of [short, long]) expect(isFormToken(value, codeKey, signer)).toBe(false);
	});

	test.each([undefined, null, '', '.', 'x.y', 42, ['a'], 'a.b.c', `${'0'.repeat(32)}.`])(
		'%j is not one',
		(value) => {
			expect(isFormToken(value, codeKey, signer)).toBe(false);
		}
	);
});
