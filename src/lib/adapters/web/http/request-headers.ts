import type { RequestEvent } from '@sveltejs/kit';
import { createHash, timingSafeEqual } from 'node:crypto';
import { exactOrigin } from '#lib/config/addresses.ts';
import { parseSessionToken, type SessionToken } from '#lib/domain/secret.ts';

/** How a request authenticated. The response sets cookies only if the request used a cookie. */
export interface Credential {
	readonly kind: 'cookie' | 'bearer';
	readonly token: SessionToken;
}

/**
 * Parses an `Authorization: Bearer` header. The scheme is case-insensitive, extra spaces are
 * allowed, and the token may be percent-encoded. Returns null for anything else, including two
 * headers joined by a comma.
 */
export const bearerToken = (header: string | null): SessionToken | null => {
	const [, value] = /^\s*bearer +(\S+)\s*$/i.exec(header ?? '') ?? [];
	if (value === undefined) return null;
	try {
		return parseSessionToken(decodeURIComponent(value));
	} catch {
		return null;
	}
};

/** Compares digests: they have equal lengths, and the time that it takes reveals nothing. */
export const isSameSecret = (given: string, expected: string): boolean =>
	timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a page's script posted the form, or called a remote function, and reads the response. */
export const isScripted = ({
	request,
	isRemoteRequest
}: Pick<RequestEvent, 'request' | 'isRemoteRequest'>): boolean =>
	isRemoteRequest || request.headers.get('x-sveltekit-action') === 'true';

export const isTrustedOrigin = (text: string, trusted: ReadonlySet<string>): boolean => {
	const origin = exactOrigin(text);
	return origin !== null && trusted.has(origin);
};

/** The request header in which a program sends the key that it made. */
export const PROGRAM_KEY_HEADER = 'x-postern-client';

export const PROOF_HEADER = 'x-postern-proof';
