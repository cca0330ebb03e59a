import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../ports/clock.ts';
import type { SecretHasher } from '../ports/secret-hasher.ts';
import type { Sessions } from './sessions.ts';
import type { SessionToken } from '../secret.ts';
import { isDueForRefresh, type SignedIn } from './session.ts';
import { secondsAfter } from '../time.ts';

export interface ReadSessionInput {
	readonly token: SessionToken;
	/** False reads without extending, however old the last refresh. */
	readonly mayRefresh: boolean;
}

export interface CurrentSession extends SignedIn {
	/** True for the one reading that extended it: the moment to send the cookie again. */
	readonly refreshed: boolean;
}

/** Who a token speaks for; null for one that is unknown, ended or expired. */
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
		const { lifetime, refreshAfter } = deps.policy.session;
		const now = deps.clock.now();
		const found = await findUnderAnyKey(deps, token, now);
		if (found === null) return null;
		if (!mayRefresh || !isDueForRefresh(found.session, now, deps.policy)) {
			return { ...found, refreshed: false };
		}
		// Whoever comes second finds it done: the session is as good, only the news is not his.
		const refreshed = await deps.sessions.refresh(
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

/** A session opened before a rotation of the secret is kept under the key of its time. */
const findUnderAnyKey = async (
	{ sessions, secretHasher }: ReadSessionDeps,
	token: SessionToken,
	now: Date
): Promise<SignedIn | null> => {
	for (const hash of [secretHasher.ofToken(token), ...secretHasher.earlierOfToken(token)]) {
		const found = await sessions.find(hash, now);
		if (found !== null) return found;
	}
	return null;
};
