import type { SessionId, UserId } from '../ids.ts';
import type { Clock } from '../clock.ts';
import type { Sessions } from './sessions.ts';
import type { Session } from './session.ts';

/** The devices that an account is signed in on. */
export interface ManageSessions {
	/** The live sessions, the last used first. */
	list(userId: UserId): Promise<readonly Session[]>;
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
	end: async (userId, id) => (await sessions.endOne(userId, id)) !== null,
	endAll: (userId, keep) => sessions.endAll(userId, keep)
});
