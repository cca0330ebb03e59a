import type { Sealer } from '#lib/domain/ports.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import type { SeenSession } from './cache-validity.ts';

/**
 * Session data from the store, cached in a cookie, for a session that the process cache has lost.
 * It is encrypted and bound to the session token and this process: it cannot be read, changed, or
 * used with another session cookie or in another process.
 * Sensitive routes never use it (see `mayUseSessionCache`).
 */
interface CookieCache {
	/**
	 * Returns null if the value does not fit into a cookie. The next request then queries the store.
	 */
	write(token: SessionToken, seen: SeenSession): string | null;
	/**
	 * Returns null if the cache belongs to another session or process, or cannot be decrypted. A
	 * browser may keep the cookie for too long, so `CacheValidity` checks its age.
	 */
	read(sealed: string, token: SessionToken): SeenSession | null;
}

/** ASVS 5.0 3.3.5 limits name, value and attributes of a cookie to 4096 bytes in total. */
const MAX_LENGTH = 4000;

/** `processId` is unique. Other processes have another monotonic clock, and maybe another layout. */
export const cookieCache = (sealer: Sealer, processId: string): CookieCache => ({
	write: (token, { user, session, readAt }) => {
		const sealed = sealer.seal(JSON.stringify({ readAt, user, session }), processId + token);
		return sealed.length <= MAX_LENGTH ? sealed : null;
	},

	read: (sealed, token) => {
		const text = sealer.open(sealed, processId + token);
		return text === null ? null : (JSON.parse(text, withDates) as SeenSession);
	}
});

const withDates = (name: string, value: unknown): unknown =>
	/^(?:created|updated|expires)At$/.test(name) ? new Date(value as string) : value;
