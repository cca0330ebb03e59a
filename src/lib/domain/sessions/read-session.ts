import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import type { Sessions } from './sessions.ts';
import type { SessionToken } from '../secret.ts';
import { isDueForRefresh, type SignedIn } from './session.ts';
import { secondsAfter } from '../time.ts';

export interface ReadSessionInput {
	readonly token: SessionToken;
	/** False reads without extending the session, however old its last refresh is. */
	readonly mayRefresh: boolean;
}

export interface CurrentSession extends SignedIn {
	/** True for the one read that extended the session. The cookie must then be sent again. */
	readonly refreshed: boolean;
}

/**
 * The session and user of a token. Null when the token is unknown, or its session has ended or
 * expired.
 */
export type ReadSession = (input: ReadSessionInput) => Promise<CurrentSession | null>;

export interface ReadSessionDeps {
	readonly sessions: Sessions;
	readonly secretHasher: SecretHasher;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

export const makeReadSession =
	(deps: ReadSessionDeps): ReadSession =>
	async ({ token, mayRefresh }) => {
		const { sessions, secretHasher, policy } = deps;
		const { lifetime, refreshAfter } = policy.session;
		const now = deps.clock.now();
		let found: SignedIn | null = null;
		// During a rotation of the secret, older sessions are stored under the hash of an earlier key.
		for (const hash of [secretHasher.ofToken(token), ...secretHasher.earlierOfToken(token)]) {
			found ??= await sessions.find(hash, now);
		}
		if (found === null) return null;
		if (!mayRefresh || !isDueForRefresh(found.session, now, policy)) {
			return { ...found, refreshed: false };
		}
		// Null means that a concurrent request refreshed the session. The session is still valid.
		const refreshed = await sessions.refresh(
			found.session.id,
			now,
			secondsAfter(now, -refreshAfter),
			secondsAfter(now, lifetime)
		);
		return {
			user: found.user,
			session: refreshed ?? found.session,
			refreshed: refreshed !== null
		};
	};
