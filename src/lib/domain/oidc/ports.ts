import type { Brand, OidcClientId, SessionId, UserId } from '../ids.ts';
import type { Sealer } from '../ports.ts';
import type { SecretHash, SecretHashes } from '../secret.ts';
import type { User } from '../user.ts';

export type GrantId = Brand<string, 'GrantId'>;

/** An application of the operator that people sign in to through Postern. */
export interface OidcClient {
	readonly id: OidcClientId;
	readonly name: string;
	/** Null for a public client, which cannot keep a secret. */
	readonly secretHash: SecretHash | null;
	/** Runs on devices of people: a loopback redirect URI then matches with any port. */
	readonly isNative: boolean;
	/** Signs its ID tokens. */
	readonly algorithm: 'RS256' | 'ES256';
	/** A list with spaces between the URIs, which none of them contains. */
	readonly redirectUris: string;
	/**
	 * A list like `redirectUris`: where a browser may be sent after a sign-out that the application
	 * requested.
	 */
	readonly afterLogoutUris: string;
	/** Gets a logout token when a session ends. Null if the application has no such URI. */
	readonly logoutUri: string | null;
	readonly createdAt: Date;
}

export interface SigningKeys {
	readonly id: string;
	/** Sealed. */
	readonly content: string;
	/** Instances publish the keys at once, and sign with them from this time on. */
	readonly signsFrom: Date;
}

/** The sign-in of one session to one application. The application's tokens belong to it. */
interface NewGrant {
	readonly id: GrantId;
	readonly userId: UserId;
	readonly clientId: OidcClientId;
	readonly sessionId: SessionId;
	readonly signedInAt: Date;
}

interface LiveGrant extends Pick<NewGrant, 'clientId' | 'sessionId'> {
	readonly user: User;
}

/** A grant whose session has ended. The application must be told. */
export interface EndedGrant extends Pick<NewGrant, 'id' | 'userId' | 'clientId'> {
	/** The number of the attempt to tell it, from 1. */
	readonly attempt: number;
}

/** The lease of an attempt, which ends when another attempt leases the grant. */
export type EndedLease = Pick<EndedGrant, 'id' | 'attempt'>;

export interface SignedInApplication extends Pick<OidcClient, 'name'> {
	readonly clientId: OidcClientId;
	/** The last sign-in. */
	readonly signedInAt: Date;
}

/** A token or a code. */
interface OidcRecord {
	/** Keyed. */
	readonly hash: SecretHash;
	readonly grantId: GrantId;
	/** Sealed. */
	readonly content: string;
	readonly expiresAt: Date;
}

interface FoundRecord extends Pick<OidcRecord, 'hash' | 'content'> {
	readonly consumedAt: Date | null;
}

export interface OidcSecrets {
	/** The keyed hashes of a text. */
	hashes(text: string): SecretHashes;
	readonly sealer: Sealer;
	/** Makes a private key of each algorithm, as the text of a list of JWKs. */
	newKeys(id: string): Promise<string>;
}

/**
 * What the OpenID provider stores. A grant is live while its session is: not ended, not expired, and
 * its account not deleted. A token is found only while its grant is live. So whatever ends a session
 * ends its tokens, in all instances, in the same transaction.
 */
export interface OidcStore {
	addClient(client: OidcClient): Promise<void>;
	/** All clients, in the order of their creation. */
	clients(): Promise<readonly OidcClient[]>;
	/** Replaces the hash of a secret, because the key of the hash was replaced. */
	rehashSecret(id: OidcClientId, from: SecretHash, to: SecretHash): Promise<void>;
	/** Removes a client with its grants and their tokens. False if there is none. */
	removeClient(id: OidcClientId): Promise<boolean>;

	/** All keys, the newest first. */
	keys(): Promise<readonly SigningKeys[]>;
	/**
	 * Adds keys if the store has none besides those that are `known` by their ids. Of any number of
	 * concurrent calls, over all instances, only one adds its keys.
	 */
	addKeys(keys: SigningKeys, known: readonly string[]): Promise<void>;

	/**
	 * Adds the grant, or renews the time of the one that the session has for this client. Returns the
	 * id of the stored grant. Null if the session or the client is gone.
	 */
	openGrant(grant: NewGrant): Promise<GrantId | null>;
	/** A live grant, with its account. */
	findGrant(id: GrantId, now: Date): Promise<LiveGrant | null>;
	/** Ends a grant and its tokens at once, as if its session had ended. */
	endGrant(id: GrantId): Promise<void>;
	/** Ends all grants of an account for a client, and their tokens, as `endGrant` does. */
	endGrants(userId: UserId, clientId: OidcClientId): Promise<void>;
	/** The applications with a live grant, the last sign-in first. */
	applicationsOf(userId: UserId, now: Date): Promise<readonly SignedInApplication[]>;
	/**
	 * Leases at most `limit` ended grants that are due at `now`, until `until`. Of any number of
	 * concurrent leases, over all instances, one gets a grant.
	 */
	leaseEnded(now: Date, until: Date, limit: number): Promise<readonly EndedGrant[]>;
	/** Removes a grant with all of its tokens, unless it was leased again. */
	removeEnded(lease: EndedLease): Promise<void>;
	/** Makes a grant due again at `at`, unless it was leased again. */
	retryEnded(lease: EndedLease, at: Date): Promise<void>;

	/** Adds a record. False if its grant was removed. */
	addRecord(record: OidcRecord): Promise<boolean>;
	/**
	 * The record with one of these hashes, which are those of one token. Null if it has expired or its
	 * grant is not live.
	 */
	findRecord(hashes: readonly SecretHash[], now: Date): Promise<FoundRecord | null>;
	/**
	 * Marks a record as consumed at `now`, and keeps it until `keepUntil`. Of any number of concurrent
	 * calls, over all instances, one gets true.
	 */
	consumeRecord(hashes: readonly SecretHash[], now: Date, keepUntil: Date): Promise<boolean>;
	/** Removes the records of all these hashes. Nothing happens when there is none. */
	removeRecords(hashes: readonly SecretHash[]): Promise<void>;
	/** Removes at most `limit` records that expired at or before `now`. Returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly oidcStore: OidcStore;
	}
	interface UseCaseDeps {
		readonly oidcSecrets: OidcSecrets;
	}
}
