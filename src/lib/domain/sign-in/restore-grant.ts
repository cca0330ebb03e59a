import type { Email } from '../email.ts';
import type { ChallengeId, Ids } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { RestoreToken } from '../secret.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import { secondsAfter } from '../time.ts';
import type { OpenRequest } from './challenge.ts';

interface GrantDeps {
	readonly ids: Ids;
	readonly secretHasher: SecretHasher;
	readonly policy: AuthPolicy;
}

/**
 * A restore grant is bound to its own token, which the browser keeps in a cookie. It has no code.
 */
export const grantChallenge = (
	{ ids, secretHasher, policy }: GrantDeps,
	email: Email,
	leave: RestoreToken,
	now: Date
): OpenRequest => ({
	id: ids.next() as ChallengeId,
	requestedBy: null,
	purpose: 'account_restore',
	email,
	boundTo: secretHasher.ofRestoreToken(leave),
	codeHash: '',
	attempts: 0,
	expiresAt: secondsAfter(now, policy.deletion.restoreGrant),
	createdAt: now,
	bouncedAt: null
});
