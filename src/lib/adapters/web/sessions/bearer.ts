import { parseSessionToken, type SessionToken } from '#lib/domain/secret.ts';

/**
 * The token of an `Authorization: Bearer` header: scheme in any case, extra spaces tolerated,
 * percent-encoded accepted. Anything else, two headers joined by a comma included, is as none.
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
