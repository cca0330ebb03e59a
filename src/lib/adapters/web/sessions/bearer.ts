import { parseSessionToken, type SessionToken } from '#lib/domain/secret.ts';

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
