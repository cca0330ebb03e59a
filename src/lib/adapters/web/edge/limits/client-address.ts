import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { parseAddress, type Address, type TrustedProxies } from '#lib/config/addresses.ts';

/** What a request says about its origin. Clients can forge everything except the peer. */
export interface AddressSource {
	/** The remote address of the socket; undefined once the socket has closed. */
	readonly peer: string | undefined;
	/**
	 * The `x-forwarded-for` header. Several headers are joined by commas, as Node does. Null if there
	 * is none.
	 */
	readonly forwardedFor: string | null;
	/** The `x-real-ip` header. Null if there is none. */
	readonly realIp: string | null;
}

/**
 * Used if the peer is not a valid address. The hook refuses requests with a closed socket before
 * they are counted.
 */
export const UNKNOWN_ADDRESS = 'unknown';

/**
 * Compiles the proxy setting. `read` returns the client address in canonical form. `mayForward` says
 * whether a peer may be a proxy; only then do the headers count. If there is an `x-forwarded-for`,
 * `x-real-ip` is ignored. Falling back to it when a chain cannot be resolved would let clients choose
 * which header is read.
 */
export const clientAddresses = (trusted: TrustedProxies) => {
	const isProxy = proxyTest(trusted);
	const peers = new LRUCache<string, Peer>({ max: KEPT_PEERS });
	const peerAt = (text: string): Peer | null => {
		const known = peers.get(text);
		if (known !== undefined) return known;
		const parsed = parseAddress(text);
		if (parsed === null) return null;
		const peer = { address: canonical(parsed), mayForward: isProxy(parsed) };
		peers.set(text, peer);
		return peer;
	};
	const read = ({ peer, forwardedFor, realIp }: AddressSource): string => {
		const from = peerAt(peer ?? '');
		if (from === null) return UNKNOWN_ADDRESS;
		if (!from.mayForward) return from.address;
		if (trusted.kind === 'listed' && forwardedFor !== null) {
			const nearest = nearestUntrusted(forwardedFor, isProxy);
			return nearest === null ? from.address : canonical(nearest);
		}
		const forwarded = (forwardedFor ?? realIp ?? '').trim();
		if (isIP(forwarded) === 4) return forwarded;
		const parsed = parseAddress(forwarded);
		return parsed === null ? from.address : canonical(parsed);
	};
	return { read, mayForward: (peer: string) => peerAt(peer)?.mayForward === true };
};

/** How many parsed peer addresses are cached. Behind a proxy there are only a few. */
const KEPT_PEERS = 1000;

interface Peer {
	readonly address: string;
	readonly mayForward: boolean;
}

/**
 * The key for limits per client. An IPv6 client can use any address of its /64, so the /64 is the
 * key.
 */
export const limitKey = (address: string): string => {
	if (isIP(address) === 4) return address;
	const parsed = parseAddress(address);
	if (parsed === null) return address;
	if (parsed instanceof ipaddr.IPv4) return parsed.toString();
	return ipv6Prefix(parsed, 4);
};

/**
 * The network of a client: the /24 of an IPv4 address or the /48 of an IPv6 address. A provider's
 * customer usually gets no larger network. Text that is not an address is returned unchanged.
 */
export const networkPrefix = (address: string): string => {
	if (isIP(address) === 4) return ipv4Prefix(address);
	const parsed = parseAddress(address);
	if (parsed === null) return address;
	return parsed instanceof ipaddr.IPv4 ? ipv4Prefix(parsed.toString()) : ipv6Prefix(parsed, 3);
};

const ipv4Prefix = (address: string): string =>
	`${address.slice(0, address.lastIndexOf('.'))}.0/24`;

/** The network that consists of the first `groups` 16-bit groups. */
const ipv6Prefix = ({ parts }: ipaddr.IPv6, groups: number): string => {
	const kept = parts.map((part, index) => (index < groups ? part : 0));
	return `${canonical(new ipaddr.IPv6(kept))}/${groups * 16}`;
};

type ProxyTest = (address: Address) => boolean;

const PRIVATE_RANGES: readonly string[] = ['loopback', 'linkLocal', 'private', 'uniqueLocal'];

const proxyTest = (trusted: TrustedProxies): ProxyTest => {
	if (trusted.kind === 'none') return () => false;
	if (trusted.kind === 'private') return (address) => PRIVATE_RANGES.includes(address.range());
	return (address) =>
		trusted.entries.some(
			(range) =>
				range.address.kind() === address.kind() && address.match(range.address, range.prefix)
		);
};

/**
 * Reads the chain from its right end, which the nearest proxy wrote, and skips our own proxies.
 * Returns the first address that is not one of them: that client could have written everything
 * further left. Returns null if a hop is not an address, or if every hop is one of our proxies.
 */
const nearestUntrusted = (chain: string, isProxy: ProxyTest): Address | null => {
	for (const hop of chain.split(',').reverse()) {
		const address = parseAddress(hop.trim());
		if (address === null || !isProxy(address)) return address;
	}
	return null;
};

const canonical = (address: Address): string =>
	address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
