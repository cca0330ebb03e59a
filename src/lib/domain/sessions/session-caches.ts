import type { SessionId, UserId } from '../ids.ts';

/** What a process has cached about sessions and their accounts. */
export interface SessionCaches {
	/** No cached data of these sessions may be used any more. */
	sessionsEnded(ids: readonly SessionId[]): void;
	/** No data of these accounts may be used that was read before this call. */
	accountsChanged(ids: readonly UserId[]): void;
}
