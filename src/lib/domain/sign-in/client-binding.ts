import type { Caller } from '../devices/recognise.ts';
import type { Sender } from '../limits/sender.ts';
import type { BrowserKey, SecretHash } from '../secret.ts';
import type { SecretHasher } from '../secret-hasher.ts';

/** The client that requests or enters a code. */
export interface CodeClient extends Caller {
	/** The browser that requested it. Null for other clients. */
	readonly browser: BrowserKey | null;
	readonly sender: Sender;
}

/**
 * What a code is bound to, so that only its own client can try it. A program's key comes first. Null
 * when the client has neither key: its code is bound to the address alone.
 */
export const clientBinding = (
	hasher: Pick<SecretHasher, 'ofBrowserKey' | 'ofClientKey'>,
	{ browser, claim = null }: Pick<CodeClient, 'browser' | 'claim'>
): SecretHash | null => {
	if (claim?.kind === 'program') return hasher.ofClientKey(claim.key);
	return browser && hasher.ofBrowserKey(browser);
};
