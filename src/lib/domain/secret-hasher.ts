import type { ClientKey, DeviceClaim } from './devices/device-key.ts';
import type {
	BrowserKey,
	RestoreToken,
	SecretHash,
	SessionToken,
	UnsubscribeToken
} from './secret.ts';

/** Hashes secrets that are already long and random. So the hash can be fast and deterministic. */
export interface SecretHasher {
	/**
	 * Keyed: access to the stored hashes is not enough to create a valid token. A token and a
	 * browser key of the same text have different hashes.
	 */
	ofToken(token: SessionToken): SecretHash;
	/**
	 * The token's hashes under keys that are being replaced, newest first. Empty outside a
	 * rotation.
	 */
	earlierOfToken(token: SessionToken): readonly SecretHash[];
	/**
	 * Not keyed: a browser key is worthless without the code that is bound to it, and the hash of
	 * that code is keyed. So a pending code survives a key rotation.
	 */
	ofBrowserKey(key: BrowserKey): SecretHash;
	/** The same for a code that a program requested. */
	ofClientKey(key: ClientKey): SecretHash;
	/**
	 * Keyed. A browser's key and a program's key of the same text have different hashes, which also
	 * differ from the hashes of other secrets.
	 */
	ofDevice(claim: DeviceClaim): SecretHash;
	/** The same as `earlierOfToken`, for the keys of known devices. */
	earlierOfDevice(claim: DeviceClaim): readonly SecretHash[];
	/** Keyed. Different from the hashes of other secrets of the same text. */
	ofRestoreToken(token: RestoreToken): SecretHash;
	/** The same as `earlierOfToken`, for restore tokens. */
	earlierOfRestoreToken(token: RestoreToken): readonly SecretHash[];
	/**
	 * Not keyed: a link in an email must work after its key is gone. Different from the hashes of
	 * other secrets of the same text.
	 */
	ofUnsubscribeToken(token: UnsubscribeToken): SecretHash;
}
