import type { BrowserKey, RestoreToken, SecretHash, SessionToken } from '../secret.ts';

/** Hashing of secrets that are long and random already, so it can be fast and is deterministic. */
export interface SecretHasher {
	/**
	 * Keyed, so that neither reading nor writing the stored hash makes a token. A token and a browser
	 * key of the same text have different hashes.
	 */
	ofToken(token: SessionToken): SecretHash;
	/** The same under keys that are being replaced, newest first; empty outside a rotation. */
	earlierOfToken(token: SessionToken): readonly SecretHash[];
	/**
	 * Not keyed: a browser key opens nothing without the code that is bound to it, whose hash is
	 * keyed, and so a code outlives a rotation.
	 */
	ofBrowserKey(key: BrowserKey): SecretHash;
	/** Keyed; different from the hashes of other secrets of the same text. */
	ofRestoreToken(token: RestoreToken): SecretHash;
	/** As for session tokens. */
	earlierOfRestoreToken(token: RestoreToken): readonly SecretHash[];
}
