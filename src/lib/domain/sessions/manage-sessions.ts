import type { SessionId, UserId } from '../ids.ts';
import type { Clock } from '../clock.ts';
import type { Sessions } from './sessions.ts';
import type { Session } from './session.ts';

/** A page of the sessions of an account. */
export interface SessionPage {
	readonly sessions: readonly Session[];
	/** From 1 to `pages`. */
	readonly page: number;
	readonly pages: number;
	/** The sessions on all pages. */
	readonly total: number;
}

/** The devices that an account is signed in on. */
export interface ManageSessions {
	/** The live sessions, the last used first. */
	list(userId: UserId): Promise<readonly Session[]>;
	/**
	 * A page of the list, in which `current` comes first. Instead of a page behind the last one, it
	 * returns the last one.
	 */
	page(userId: UserId, current: SessionId, page: number, size: number): Promise<SessionPage>;
	/** The live sessions that were opened last. */
	newest(userId: UserId, limit: number): Promise<readonly Session[]>;
	/**
	 * Ends one session. Returns false, and does nothing, when it is gone or belongs to another
	 * account.
	 */
	end(userId: UserId, id: SessionId): Promise<boolean>;
	/**
	 * Ends all sessions except `keep`, or all of them. Also revokes pending codes and email
	 * changes, so that an attacker who had access cannot get in again. Returns the ended sessions.
	 */
	endAll(userId: UserId, keep: SessionId | null): Promise<readonly SessionId[]>;
}

export interface ManageSessionsDeps {
	readonly sessions: Sessions;
	readonly clock: Clock;
}

export const makeManageSessions = ({ sessions, clock }: ManageSessionsDeps): ManageSessions => ({
	list: (userId) => sessions.listOf(userId, clock.now()),
	page: async (userId, current, page, size) => {
		const now = clock.now();
		const total = await sessions.countOf(userId, now);
		const pages = Math.max(1, Math.ceil(total / size));
		const shown = Math.min(page, pages);
		const range = { first: current, skip: (shown - 1) * size, limit: size };
		return { sessions: await sessions.rangeOf(userId, now, range), page: shown, pages, total };
	},
	newest: (userId, limit) => sessions.newestOf(userId, clock.now(), limit),
	end: async (userId, id) => (await sessions.endOne(userId, id)) !== null,
	endAll: (userId, keep) => sessions.endAll(userId, keep)
});
