import type { SessionId } from '../ids.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import type { Sessions } from './sessions.ts';
import type { SessionToken } from '../secret.ts';

/**
 * Ends the session of a token and returns its id. Null when the session was already gone, which
 * is no error.
 */
export type EndSession = (token: SessionToken) => Promise<SessionId | null>;

export interface EndSessionDeps {
	readonly sessions: Sessions;
	readonly secretHasher: SecretHasher;
}

export const makeEndSession =
	(deps: EndSessionDeps): EndSession =>
	async (token) => {
		const { secretHasher, sessions } = deps;
		for (const hash of [secretHasher.ofToken(token), ...secretHasher.earlierOfToken(token)]) {
			const ended = await sessions.end(hash);
			if (ended !== null) return ended;
		}
		return null;
	};
