import type { Sealer } from '#lib/domain/ports.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import type { SeenSession } from './cache-validity.ts';

/** ASVS 5.0 3.3.5 limits name, value and attributes of a cookie to 4096 bytes in total. */
const MAX_LENGTH = 4000;

/**
 * Session data from the store, cached in a cookie, for a session that the process cache has lost.
 * It is encrypted and bound to the session token and this process: it cannot be read, changed, or
 * used with another session cookie or in another process.
 * Sensitive routes never use it (see `mayUseSessionCache`). `processId` is unique: other processes have
 * another monotonic clock, and maybe another layout.
 */
export const cookieCache = (sealer: Sealer, processId: string) => ({
	/** Null if the value does not fit into a cookie. The next request then queries the store. */
	write: (token: SessionToken, { user, session, readAt }: SeenSession): string | null => {
		const sealed = sealer.seal(JSON.stringify({ readAt, user, session }), processId + token);
		return sealed.length <= MAX_LENGTH ? sealed : null;
	},

	/**
	 * Null if the cache belongs to another session or process, or cannot be decrypted. A browser may
	 * keep the cookie for too long, so `cacheValidity` checks its age.
	 */
	read: (sealed: string, token: SessionToken): SeenSession | null => {
		const text = sealer.open(sealed, processId + token);
		return text === null ? null : (JSON.parse(text, withDates) as SeenSession);
	}
});

const withDates = (name: string, value: unknown): unknown =>
	/^(?:created|updated|expires)At$/.test(name) ? new Date(value as string) : value;
