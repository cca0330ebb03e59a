import type { Brand } from '../brand.ts';

/**
 * The network of a client (an IPv4 /24 or an IPv6 /48), as a keyed hash. Two clients of one network
 * have the same text, and the text does not show which network it is.
 */
export type Network = Brand<string, 'Network'>;

/** What a request shows of the client that causes an email or enters a code. */
export interface Sender {
	readonly network: Network;
}
