import type { SessionId, UserId } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sessions } from './sessions.ts';
import type { Session } from './session.ts';

/** The devices an account is signed in on. */
export interface ManageSessions {
	/** The living ones, the last used first. */
	list(userId: UserId): Promise<readonly Session[]>;
	/** Ends one. False, and nothing happens, when it is gone or somebody else's. */
	end(userId: UserId, id: SessionId): Promise<boolean>;
	/**
	 * Ends all but `keep`, or all of them. Codes and changes of address under way are void with
	 * them: whoever had got in must not find another way back. Which ones ended.
	 */
	endAll(userId: UserId, keep: SessionId | null): Promise<readonly SessionId[]>;
}

export interface ManageSessionsDeps {
	readonly sessions: Sessions;
	readonly clock: Clock;
}

export const makeManageSessions = ({ sessions, clock }: ManageSessionsDeps): ManageSessions => ({
	list: (userId) => sessions.listOf(userId, clock.now()),
	end: (userId, id) => sessions.endOne(userId, id),
	endAll: (userId, keep) => sessions.endAll(userId, keep)
});
