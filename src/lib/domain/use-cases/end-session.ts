import type { SecretHasher } from '../ports/secret-hasher.ts';
import type { Sessions } from '../ports/sessions.ts';
import type { SessionToken } from '../secret.ts';

/** Ends the session of a token. Ending one that is gone already is no error. */
export type EndSession = (token: SessionToken) => Promise<void>;

export interface EndSessionDeps {
	readonly sessions: Sessions;
	readonly secretHasher: SecretHasher;
}

export const makeEndSession =
	(deps: EndSessionDeps): EndSession =>
	async (token) => {
		const { ofToken, earlierOfToken } = deps.secretHasher;
		for (const hash of [ofToken(token), ...earlierOfToken(token)]) await deps.sessions.end(hash);
	};
