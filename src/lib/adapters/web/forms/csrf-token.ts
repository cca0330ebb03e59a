import type { BrowserKey } from '#lib/domain/secret.ts';
import type { Signer } from '#lib/domain/signer.ts';

/** The hidden field of every form. */
export const FORM_TOKEN_FIELD = 'csrf';

/**
 * A random value in hex, so that the token differs each time. This protects compressed pages against
 * guessing its characters (BREACH).
 */
const NONCE = /^[0-9a-f]{32}$/;

/**
 * A token that only a page served to this browser contains: a nonce, and a signature over the nonce
 * and the browser key. Nothing is stored on the server.
 */
export const formToken = (browser: BrowserKey, nonce: Uint8Array, signer: Signer): string => {
	const text = [...nonce].map((byte) => byte.toString(16).padStart(2, '0')).join('');
	return `${text}.${signer.sign(contextOf(browser, text))}`;
};

/** Whether a posted token was issued to the browser that posts it. */
export const isFormToken = (
	value: unknown,
	browser: BrowserKey | null,
	signer: Signer
): boolean => {
	if (typeof value !== 'string' || browser === null) return false;
	const [nonce = '', signature = '', ...rest] = value.split('.');
	return (
		rest.length === 0 && NONCE.test(nonce) && signer.verify(signature, contextOf(browser, nonce))
	);
};

export const FORM_NONCE_BYTES = 16;

const contextOf = (browser: BrowserKey, nonce: string): string => `form ${nonce} ${browser}`;
