import type { Random, Signer } from '#lib/domain/ports.ts';
import { newBrowserKey, type BrowserKey } from '#lib/domain/secret.ts';
import type { AuthCookies } from '../http/auth-cookies.ts';

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
export const newFormToken = (browser: BrowserKey, nonce: Uint8Array, signer: Signer): string => {
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

/**
 * Creates a token for the forms of the current page and binds it to the browser. Renews the
 * browser's key.
 */
export const pageToken = ({
	locals: { app, authCookies }
}: {
	readonly locals: {
		readonly app: { readonly random: Random; readonly formSigner: Signer };
		readonly authCookies: Pick<AuthCookies, 'browserKey' | 'setBrowserKey'>;
	};
}): string => {
	const browser = authCookies.browserKey() ?? newBrowserKey(app.random);
	authCookies.setBrowserKey(browser);
	return newFormToken(browser, app.random.bytes(FORM_NONCE_BYTES), app.formSigner);
};
