import { LRUCache } from 'lru-cache';
import type { SessionId } from '#lib/domain/ids.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import { mayStillHold, type SeenSession } from './freshness.ts';

/**
 * What the store said about the sessions in use, kept by this process, so that a request usually
 * takes neither a statement nor a cipher. An entry may be believed when the browser's cache of the
 * same age might (see `Freshness` and `mayTrustCache`).
 */
export interface SessionMemory {
	/** Null when nothing is known, or it is too old, from the future, or of a session that has expired. */
	get(token: SessionToken, now: Date): SeenSession | null;
	set(token: SessionToken, seen: SeenSession): void;
	/** Removes the entries of sessions that have ended. */
	forget(ids: readonly SessionId[]): void;
}

/** Sessions kept; the one that was not used for longest makes room. About a kilobyte each. */
export const MEMORY_CAPACITY = 10_000;

/** Its keys are the tokens themselves: a hash for each look would cost more than all the rest. */
export const sessionMemory = (capacity = MEMORY_CAPACITY): SessionMemory => {
	/** As large as what is kept: an entry leaves both together. */
	const tokens = new Map<SessionId, SessionToken>();
	const kept = new LRUCache<SessionToken, SeenSession>({
		max: capacity,
		dispose: ({ session }, _, reason) => {
			if (reason !== 'set') tokens.delete(session.id);
		}
	});
	return {
		get: (token, now) => {
			const seen = kept.get(token);
			return seen !== undefined && mayStillHold(seen, now) ? seen : null;
		},
		set: (token, seen) => {
			// Many requests get the same ones: what one of them changed the others would see.
			Object.freeze(seen.user);
			Object.freeze(seen.session);
			kept.set(token, seen);
			tokens.set(seen.session.id, token);
		},
		forget: (ids) => {
			for (const id of ids) {
				const token = tokens.get(id);
				if (token !== undefined) kept.delete(token);
			}
		}
	};
};
