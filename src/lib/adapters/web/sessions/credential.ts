import type { SessionToken } from '#lib/domain/secret.ts';

/** How a request proved whose it is. Cookies are answered with cookies, bearers are not. */
export interface Credential {
	readonly kind: 'cookie' | 'bearer';
	readonly token: SessionToken;
}
