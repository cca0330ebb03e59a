import type { BrowserKey } from '#lib/domain/secret.ts';
import type { Signer } from '#lib/domain/ports/signer.ts';

/** The hidden field of every form. */
export const FORM_TOKEN_FIELD = 'csrf';

/** Hex, so that two tokens of one browser differ and a compressed page gives nothing away. */
const NONCE = /^[0-9a-f]{32}$/;

/**
 * A token that only a page served to this browser holds: a nonce, and its signature together with
 * the browser's key. Nothing is stored for it.
 */
export const formToken = (browser: BrowserKey, nonce: Uint8Array, signer: Signer): string => {
	const text = [...nonce].map((byte) => byte.toString(16).padStart(2, '0')).join('');
	return `${text}.${signer.sign(contextOf(browser, text))}`;
};

/** Whether a posted token was made for the browser that posts it. */
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
