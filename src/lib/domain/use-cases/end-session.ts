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
		await deps.sessions.end(deps.secretHasher.ofToken(token));
	};
