import type { BrowserKey, SecretHash, SessionToken } from '../secret.ts';

/** Keyed hashing of secrets that are long and random already, so it can be fast and is deterministic. */
export interface SecretHasher {
	/** A token and a browser key of the same text have different hashes. */
	ofToken(token: SessionToken): SecretHash;
	ofBrowserKey(key: BrowserKey): SecretHash;
}
