import type { SessionId } from '#lib/domain/ids.ts';
import { CACHE_LIFETIME } from './session-cache.ts';

/**
 * Sessions that ended in this process while a cache written before may still be believed. It makes
 * those caches worthless at once; once they are too old anyway it forgets.
 */
export interface RevokedSessions {
	add(id: SessionId, now: Date): void;
	has(id: SessionId): boolean;
}

export const revokedSessions = (): RevokedSessions => {
	/** In the order of their ends, so that the oldest are found first. */
	const ended = new Map<SessionId, number>();
	return {
		add: (id, now) => {
			const old = now.getTime() - CACHE_LIFETIME * 1000;
			for (const [one, at] of ended) {
				if (at > old) break;
				ended.delete(one);
			}
			ended.delete(id);
			ended.set(id, now.getTime());
		},
		has: (id) => ended.has(id)
	};
};
