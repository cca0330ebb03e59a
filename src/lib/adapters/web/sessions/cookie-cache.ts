import { z } from 'zod';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import type { Sealer } from '#lib/domain/ports/sealer.ts';
import { mayStillHold, type SeenSession } from './freshness.ts';

/**
 * What the store said about a session, kept by the browser so that most page loads ask no database.
 * It is sealed for the token it was read with: without that very session cookie it is noise, and
 * nothing in it can be read or changed. It vouches for nothing sensitive (see `mayTrustCache`).
 */
export interface SessionCache {
	/** Null when it would not fit into a cookie; then the next request asks the store again. */
	write(token: SessionToken, seen: SeenSession): string | null;
	/**
	 * Null when it is of another session, too old, from the future, not ours, or read by another process
	 * whose clock need not be this one's.
	 */
	read(sealed: string, token: SessionToken, now: Date): SeenSession | null;
}

/** ASVS 5.0 3.3.5: a cookie, name and attributes aside, is at most 4096 bytes. */
const MAX_LENGTH = 4000;

const instant = z.number().transform((time) => new Date(time));
const entry = z.object({
	at: instant,
	/** The process that asked the store, and when by its monotonic clock. */
	by: z.tuple([z.string(), z.number()]).nullable(),
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

/** Where a cache is written and read. */
export interface CacheReader {
	/** Names this process. */
	readonly process: string;
	/** Whether all processes on the database go by one clock, so that one can tell how old another's entry is. */
	readonly sharedClock: boolean;
}

export const sessionCache = (
	sealer: Sealer,
	{ process, sharedClock }: CacheReader
): SessionCache => ({
	write: (token, { user, session, readAt, tick }) => {
		const by = tick === undefined ? null : [process, tick];
		const text = JSON.stringify({ at: readAt, by, user, session }, timesAsNumbers);
		const sealed = sealer.seal(text, token);
		return sealed.length <= MAX_LENGTH ? sealed : null;
	},

	read: (sealed, token, now) => {
		const text = sealer.open(sealed, token);
		if (text === null) return null;
		const parsed = entry.safeParse(JSON.parse(text));
		if (!parsed.success) return null;
		const { at, by, user, session } = parsed.data;
		const isOwn = by !== null && by[0] === process;
		if (!isOwn && !sharedClock) return null;
		const seen = { user, session, readAt: at, ...(isOwn && { tick: by[1] }) };
		// The browser may keep it for longer: the server decides.
		return mayStillHold(seen, now) ? seen : null;
	}
});

/** `JSON.stringify` has made a string of a Date before a replacer sees it, so it looks at the holder. */
function timesAsNumbers(this: Record<string, unknown>, key: string, value: unknown): unknown {
	const held = this[key];
	return held instanceof Date ? held.getTime() : value;
}
