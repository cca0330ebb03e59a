import type { Brand } from '../brand.ts';
import type { SendProof } from './send-proof.ts';

/**
 * The network of a client, as a keyed hash. Two clients of one network have the same text, and the
 * text does not show which network it is.
 */
export type Network = Brand<string, 'Network'>;

/** What a request shows of the client that causes an email or enters a code. */
export interface Sender {
	readonly network: Network;
	/** The proof that came with the request. Null when there is none, or none that is valid. */
	readonly sendProof: SendProof | null;
}
