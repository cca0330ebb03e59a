import { z } from 'zod';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { Sealer } from '#lib/domain/ports.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import { writesTimes } from '#lib/domain/time.ts';
import { isWithinLifetime, type SeenSession } from './cache-validity.ts';

/**
 * Session data from the store, cached in a cookie so that most page loads need no query. On
 * PostgreSQL, it also serves instances whose process cache lacks the session. It is encrypted and
 * bound to the session token: it cannot be read, changed, or used with another session cookie.
 * Sensitive routes never use it (see `mayUseSessionCache`).
 */
interface CookieCache {
	/**
	 * Returns null if the value does not fit into a cookie. The next request then queries the store.
	 */
	write(token: SessionToken, seen: SeenSession): string | null;
	/**
	 * Returns null if the cache belongs to another session, is too old, is dated in the future or
	 * cannot be decrypted. Also returns null if another process wrote it and the two may not share a
	 * clock.
	 */
	read(sealed: string, token: SessionToken, now: Date): SeenSession | null;
}

/** ASVS 5.0 3.3.5 limits name, value and attributes of a cookie to 4096 bytes in total. */
const MAX_LENGTH = 4000;

const timesAsNumbers = writesTimes((milliseconds) => milliseconds);

const instant = z.number().transform((time) => new Date(time));
const entry = z.object({
	at: instant,
	/** The process that read the store, and its monotonic time when it did. */
	readBy: z.tuple([z.string(), z.number()]).nullable(),
	user: z.object({
		id: z.string().transform((id) => id as UserId),
		email: z.string().transform((email) => email as Email),
		emailVerified: z.boolean(),
		name: z.string(),
		image: z.string().nullable(),
		createdAt: instant,
		updatedAt: instant
	}),
	session: z.object({
		id: z.string().transform((id) => id as SessionId),
		userId: z.string().transform((id) => id as UserId),
		expiresAt: instant,
		createdAt: instant,
		updatedAt: instant,
		ipAddress: z.string(),
		userAgent: z.string()
	})
});

/** The process that writes and reads caches. */
export interface ProcessIdentity {
	readonly process: string;
	/**
	 * Whether all processes on the database share one clock. If so, this process can calculate the
	 * age of an entry that another process wrote.
	 */
	readonly sharedClock: boolean;
}

export const cookieCache = (
	sealer: Sealer,
	{ process, sharedClock }: ProcessIdentity
): CookieCache => ({
	write: (token, { user, session, readAt, monotonicMs }) => {
		const readBy = monotonicMs === undefined ? null : [process, monotonicMs];
		const text = JSON.stringify({ at: readAt, readBy, user, session }, timesAsNumbers);
		const sealed = sealer.seal(text, token);
		return sealed.length <= MAX_LENGTH ? sealed : null;
	},

	read: (sealed, token, now) => {
		const text = sealer.open(sealed, token);
		if (text === null) return null;
		const parsed = entry.safeParse(JSON.parse(text));
		if (!parsed.success) return null;
		const { at, readBy, user, session } = parsed.data;
		const isOwn = readBy !== null && readBy[0] === process;
		if (!isOwn && !sharedClock) return null;
		const seen = { user, session, readAt: at, ...(isOwn && { monotonicMs: readBy[1] }) };
		// A browser may keep the cookie for longer, so the server checks the age.
		return isWithinLifetime(seen, now) ? seen : null;
	}
});
