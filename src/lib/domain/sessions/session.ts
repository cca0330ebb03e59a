import { storableUserAgent, type RequestSource } from '../client.ts';
import type { SessionId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SecretHash } from '../secret.ts';
import { secondsAfter } from '../time.ts';
import type { NewSession, Session } from './ports.ts';

export const newSession = (
	id: SessionId,
	tokenHash: SecretHash,
	source: RequestSource,
	now: Date,
	policy: AuthPolicy
): NewSession => ({
	id,
	tokenHash,
	ipAddress: source.ipAddress,
	userAgent: storableUserAgent(source.userAgent),
	expiresAt: secondsAfter(now, policy.session.lifetime),
	createdAt: now
});

/**
 * Whether a session was opened recently. Only the sign-in counts: a refresh makes no session
 * fresh. A session from the future is not fresh: after a clock was set back, its age is unknown.
 */
export const isFreshlySignedIn = (
	{ createdAt }: Pick<Session, 'createdAt'>,
	now: Date,
	policy: AuthPolicy
): boolean => createdAt <= now && now < secondsAfter(createdAt, policy.session.freshFor);

/** A session is refreshed at most once a day, so that most requests write nothing. */
export const isDueForRefresh = (session: Session, now: Date, policy: AuthPolicy): boolean =>
	session.updatedAt <= secondsAfter(now, -policy.session.refreshAfter);
