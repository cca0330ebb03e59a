import type { SessionId, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SecretHash } from '../secret.ts';
import { storable } from '../storable-text.ts';
import { secondsAfter } from '../time.ts';
import type { User } from '../account/user.ts';

/**
 * Where a session was opened, as the connection reports it. It is shown to the session's owner
 * and never trusted.
 */
export interface Device {
	readonly ipAddress: string;
	readonly userAgent: string;
}

export interface Session extends Device {
	readonly id: SessionId;
	readonly userId: UserId;
	readonly expiresAt: Date;
	readonly createdAt: Date;
	/** The last refresh. */
	readonly updatedAt: Date;
}

/** A session before it is stored, when its account is not yet known. */
export interface NewSession extends Device {
	readonly id: SessionId;
	readonly tokenHash: SecretHash;
	readonly expiresAt: Date;
	readonly createdAt: Date;
}

export interface SignedIn {
	readonly user: User;
	readonly session: Session;
}

/** Longer user agents are cut before storage. Nothing depends on their end. */
const MAX_USER_AGENT = 512;

export const newSession = (
	id: SessionId,
	tokenHash: SecretHash,
	device: Device,
	now: Date,
	policy: AuthPolicy
): NewSession => ({
	id,
	tokenHash,
	ipAddress: device.ipAddress,
	userAgent: storable(device.userAgent.slice(0, MAX_USER_AGENT)),
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
): boolean => createdAt <= now && now < secondsAfter(createdAt, policy.emailChange.freshFor);

/** A session is refreshed at most once a day, so that most requests write nothing. */
export const isDueForRefresh = (session: Session, now: Date, policy: AuthPolicy): boolean =>
	session.updatedAt <= secondsAfter(now, -policy.session.refreshAfter);
