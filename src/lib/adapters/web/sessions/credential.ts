import type { SessionToken } from '#lib/domain/secret.ts';

/** How a request authenticated. The response sets cookies only if the request used a cookie. */
export interface Credential {
	readonly kind: 'cookie' | 'bearer';
	readonly token: SessionToken;
}
