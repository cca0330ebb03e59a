import type { Profile } from '#lib/domain/account/ports.ts';
import type { RequestSource, Network } from '#lib/domain/client.ts';
import type { ConsentOccasion } from '#lib/domain/consent/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { ChallengeId, OidcClientId, SessionId, UserId } from '#lib/domain/ids.ts';
import { mailboxOf } from '#lib/domain/limits/throttle-send.ts';
import type { Send } from '#lib/domain/limits/ports.ts';
import type { OidcClient } from '#lib/domain/oidc/ports.ts';
import type { SendProof } from '#lib/domain/proof/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import type { SessionlessChallenge } from '#lib/domain/sign-in/ports.ts';
import { isName, NO_NAME, type Name, type User } from '#lib/domain/user.ts';

/** Where a fixed clock starts by default. */
export const start = new Date('2026-01-01T00:00:00.000Z');

export const secondsFromStart = (seconds: number): Date =>
	new Date(start.getTime() + seconds * 1000);

/** An email address that counts as parsed. */
export const anEmail = (address = 'ada@example.com'): Email => address as Email;

export const anId = <Id extends string>(number = 1): Id =>
	`00000000-0000-7000-9000-${number.toString(16).padStart(12, '0')}` as Id;

export const aHash = (text = 'a hash'): SecretHash => text as SecretHash;

export const aRequestSource = (changes: Partial<RequestSource> = {}): RequestSource => ({
	ipAddress: '192.0.2.1',
	userAgent: 'a browser',
	...changes
});

/** Fails for a text that cannot be a name. */
export const aName = (text: string): Name => {
	if (!isName(text)) throw new Error(`no name: ${JSON.stringify(text)}`);
	return text;
};

let proofs = 0;

/** A new proof of work. */
export const aProof = (changes: Partial<SendProof> = {}): SendProof => ({
	id: `proof-${(proofs += 1)}`,
	expiresAt: secondsFromStart(300),
	...changes
});

export const aNetwork = (name = 'a network'): Network => name as Network;

/** A send of an unknown client. */
export const aSend = (email: Email, requestedAt: Date, changes: Partial<Send> = {}): Send => ({
	email,
	requestedAt,
	chargedKey: mailboxOf(email),
	isKnown: false,
	network: aNetwork(),
	...changes
});

/** A decision on the sign-up page. */
export const anOccasion = (changes: Partial<ConsentOccasion> = {}): ConsentOccasion => ({
	source: 'page',
	place: '/auth/sign-up',
	wording: { version: 'sign-up-1', text: 'Send me news and offers.' },
	...changes
});

export const aProfile = (changes: Partial<Profile> = {}): Profile => ({
	name: NO_NAME,
	image: null,
	...changes
});

export const anOpenChallenge = (
	changes: Partial<SessionlessChallenge> = {}
): SessionlessChallenge => ({
	id: anId<ChallengeId>(),
	purpose: 'sign_in',
	email: anEmail(),
	boundTo: null,
	requestedBy: null,
	secretHash: 'a code hash',
	attemptsUsed: 0,
	createdAt: start,
	bouncedAt: null,
	expiresAt: secondsFromStart(600),
	...changes
});

export const anOidcClient = (changes: Partial<OidcClient> = {}): OidcClient => ({
	id: 'app' as OidcClientId,
	name: 'App',
	secretHash: null,
	isNative: false,
	algorithm: 'RS256',
	redirectUris: 'https://app.example.org/callback',
	afterLogoutUris: '',
	logoutUri: null,
	createdAt: start,
	...changes
});

export const aUser = (changes: Partial<User> = {}): User => ({
	id: anId<UserId>(),
	email: anEmail(),
	emailVerified: true,
	name: '',
	image: null,
	createdAt: start,
	updatedAt: start,
	...changes
});

export const aSession = (changes: Partial<Session> = {}): Session => ({
	...aRequestSource(),
	id: anId<SessionId>(),
	userId: anId<UserId>(),
	createdAt: start,
	updatedAt: start,
	expiresAt: secondsFromStart(60 * 24 * 3600),
	...changes
});

/** A challenge with an id and a browser of its own, which replaces no other. */
export const aChallengeFor = (id: string): SessionlessChallenge =>
	anOpenChallenge({ id: id as ChallengeId, boundTo: aHash(id) });
