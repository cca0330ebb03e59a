import type { SessionId, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SecretHash } from '../secret.ts';
import { secondsAfter } from '../time.ts';
import type { User } from '../account/user.ts';

/** Where a session was opened, as far as the connection told. Shown to its owner, trusted by nobody. */
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

/** A session to be written, before it is known whose account it will belong to. */
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

/** Long user agents are cut for storage; nothing depends on their end. */
const MAX_USER_AGENT = 512;
/** Lone surrogates and NUL, which PostgreSQL refuses in a text. */
const UNSTORABLE = /[\p{Surrogate}\0]/gu;

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
	userAgent: device.userAgent.slice(0, MAX_USER_AGENT).replace(UNSTORABLE, ''),
	expiresAt: secondsAfter(now, policy.session.lifetime),
	createdAt: now
});

/** Whether a session was opened lately. A refresh makes no session fresh: only its sign-in counts. */
export const isFreshlySignedIn = (
	{ createdAt }: Pick<Session, 'createdAt'>,
	now: Date,
	policy: AuthPolicy
): boolean => now < secondsAfter(createdAt, policy.emailChange.freshFor);

/** A session is refreshed at most once a day, so that most uses write nothing. */
export const isDueForRefresh = (session: Session, now: Date, policy: AuthPolicy): boolean =>
	session.updatedAt <= secondsAfter(now, -policy.session.refreshAfter);
