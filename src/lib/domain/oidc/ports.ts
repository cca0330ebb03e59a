import { parseSessionId, type Brand, type SessionId, type UserId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';
import type { User } from '../user.ts';

export type ClientId = Brand<string, 'ClientId'>;
export type GrantId = Brand<string, 'GrantId'>;

/** Null for text that cannot be the id of a client. */
export const parseClientId = (value: string): ClientId | null =>
	parseSessionId(value) as ClientId | null;

/** An application of the operator that people sign in to through Postern. */
export interface OidcClient {
	readonly id: ClientId;
	readonly name: string;
	/** Null for a public client, which cannot keep a secret. */
	readonly secretHash: SecretHash | null;
	/** Runs on devices of people: a loopback redirect URI then matches with any port. */
	readonly isNative: boolean;
	/** Signs its ID tokens. */
	readonly algorithm: SigningAlgorithm;
	readonly redirectUris: readonly string[];
	/** Where a browser may be sent after a sign-out that the application requested. */
	readonly afterLogoutUris: readonly string[];
	/** Gets a logout token when a session ends. Null if the application has no such URI. */
	readonly logoutUri: string | null;
	readonly createdAt: Date;
}

export type SigningAlgorithm = 'RS256' | 'ES256';

export interface SigningKey {
	/** Names the key in tokens, so everyone sees it. */
	readonly id: string;
	readonly algorithm: SigningAlgorithm;
	/** The sealed private key. */
	readonly content: string;
	/** Instances publish the key at once, and sign with it from this time on. */
	readonly signsFrom: Date;
}

/** What one session gave to one application. */
export interface NewGrant {
	readonly id: GrantId;
	readonly userId: UserId;
	readonly clientId: ClientId;
	readonly sessionId: SessionId;
	readonly signedInAt: Date;
}

export interface LiveGrant extends Pick<NewGrant, 'clientId' | 'sessionId'> {
	readonly user: User;
}

/** A grant whose session has ended, for the attempt to tell the application. */
export interface EndedGrant {
	readonly id: GrantId;
	readonly userId: UserId;
	readonly clientId: ClientId;
	readonly endedAt: Date;
	readonly attempt: number;
}

/** An application on the settings page. */
export interface SignedInApplication {
	readonly clientId: ClientId;
	readonly name: string;
	/** The last sign-in. */
	readonly signedInAt: Date;
}

export interface OidcRecord {
	/** The keyed hash of the token or id. */
	readonly hash: SecretHash;
	readonly kind: string;
	/** Null for an authorization request that has no grant yet. */
	readonly grantId: GrantId | null;
	/** Sealed. */
	readonly content: string;
	readonly expiresAt: Date;
}

export interface FoundRecord {
	readonly hash: SecretHash;
	readonly content: string;
	readonly consumedAt: Date | null;
}

/**
 * What the OpenID provider stores. A grant is live while its session is: not ended, not expired, and
 * its account not deleted. A token is found only while its grant is live. So whatever ends a session
 * ends its tokens, in all instances, in the same transaction.
 */
export interface OidcStore {
	/** Adds a client. */
	addClient(client: OidcClient): Promise<void>;
	/** All clients, in the order of their creation. */
	clients(): Promise<readonly OidcClient[]>;
	/** Replaces the hash of a secret, because the key of the hash was replaced. */
	rehashSecret(id: ClientId, from: SecretHash, to: SecretHash): Promise<void>;
	/** Removes a client with its grants and their tokens. False if there is none. */
	removeClient(id: ClientId): Promise<boolean>;

	/** All keys, the newest first. */
	keys(): Promise<readonly SigningKey[]>;
	/**
	 * Adds keys. With `unless`, it does nothing if the store has any key besides those. Of any number of
	 * concurrent calls, over all instances, only one then adds its keys.
	 */
	addKeys(keys: readonly SigningKey[], unless?: readonly string[]): Promise<void>;
	removeKeys(ids: readonly string[]): Promise<void>;

	/**
	 * Adds the grant, or renews the time of the one that the session has for this client. Returns the
	 * id of the stored grant. Null if the session or the client is gone.
	 */
	openGrant(grant: NewGrant): Promise<GrantId | null>;
	/** A live grant, with its account. */
	findGrant(id: GrantId, now: Date): Promise<LiveGrant | null>;
	/** Ends the tokens of a grant at once. It stays until its application was told. */
	endGrant(id: GrantId): Promise<void>;
	/** Removes a grant with all of its tokens. */
	removeGrant(id: GrantId): Promise<void>;
	/** The applications with a live grant, the last sign-in first. */
	applicationsOf(userId: UserId, now: Date): Promise<readonly SignedInApplication[]>;
	/** Ends all grants of the account for a client, as if their sessions had ended. */
	endGrants(userId: UserId, clientId: ClientId): Promise<void>;
	/**
	 * Leases at most `limit` ended grants that are due at `now`, until `until`. Of any number of
	 * concurrent leases, over all instances, one gets a grant.
	 */
	leaseEnded(now: Date, until: Date, limit: number): Promise<readonly EndedGrant[]>;
	/** Makes an ended grant due again at `at`. Nothing happens after a later lease. */
	retryEnded(grant: EndedGrant, at: Date): Promise<void>;

	/** Adds or replaces a record. False if its grant is not live. */
	put(record: OidcRecord, now: Date): Promise<boolean>;
	/** The record of the first of these hashes. Null if it has expired or its grant is not live. */
	find(kind: string, hashes: readonly SecretHash[], now: Date): Promise<FoundRecord | null>;
	/**
	 * Marks a record as consumed at `now`, and keeps it until `keepUntil` at most. Of any number of
	 * concurrent calls, over all instances, one gets true.
	 */
	consume(hashes: readonly SecretHash[], now: Date, keepUntil: Date): Promise<boolean>;
	remove(hashes: readonly SecretHash[]): Promise<void>;
	/** Removes all tokens and codes of a grant. */
	removeOf(grantId: GrantId): Promise<void>;
	/** Removes at most `limit` records that expired at or before `now`. Returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}
