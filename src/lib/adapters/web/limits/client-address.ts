import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { AddressRange, TrustedProxies } from '#lib/config/proxies.ts';

/** What a request says about where it comes from. Only the peer cannot be made up by a client. */
export interface AddressSource {
	/** The other end of the socket; undefined once that is gone. */
	readonly peer: string | undefined;
	/** `x-forwarded-for`; several of them joined by commas, as Node does. Null when there is none. */
	readonly forwardedFor: string | null;
	/** `x-real-ip`; null when there is none. */
	readonly realIp: string | null;
}

/** Without a usable peer. The hook refuses requests whose socket is gone before they are counted. */
export const UNKNOWN_ADDRESS = 'unknown';

/**
 * Reads the address a request counts for, in its one canonical spelling, for one setting, which is
 * compiled once. A header counts only when the peer may be
 * a proxy, and `x-forwarded-for` alone decides where there is one: `x-real-ip` beside a chain that
 * cannot be resolved would let a client choose which of the two is read.
 */
export const clientAddressReader = (
	trusted: TrustedProxies
): ((source: AddressSource) => string) => {
	const isProxy = proxyTest(trusted);
	const peers = new LRUCache<string, Peer>({ max: KEPT_PEERS });
	const peerAt = (text: string): Peer | null => {
		const known = peers.get(text);
		if (known !== undefined) return known;
		const parsed = parseAddress(text);
		if (parsed === null) return null;
		const peer = { address: spelled(parsed), mayForward: isProxy(parsed) };
		peers.set(text, peer);
		return peer;
	};
	return ({ peer, forwardedFor, realIp }) => {
		const from = peerAt(peer ?? '');
		if (from === null) return UNKNOWN_ADDRESS;
		if (!from.mayForward) return from.address;
		if (trusted.kind === 'listed' && forwardedFor !== null) {
			const nearest = nearestStranger(forwardedFor, isProxy);
			return nearest === null ? from.address : spelled(nearest);
		}
		const said = (forwardedFor ?? realIp ?? '').trim();
		if (isIP(said) === 4) return said;
		const parsed = parseAddress(said);
		return parsed === null ? from.address : spelled(parsed);
	};
};

/** Other ends of sockets that are kept read: behind a proxy few, and else who was here a moment ago. */
const KEPT_PEERS = 1000;

interface Peer {
	readonly address: string;
	readonly mayForward: boolean;
}

/** What limits count by: an IPv6 client owns at least a /64 and may use any address of it. */
export const limitKey = (address: string): string => {
	if (isIP(address) === 4) return address;
	const parsed = parseAddress(address);
	if (parsed === null) return address;
	if (parsed instanceof ipaddr.IPv4) return parsed.toString();
	return ipv6Prefix(parsed, 4);
};

/**
 * The network of a client: the /24 of an IPv4 address, the /48 of an IPv6 address. One customer of a
 * hosting or access provider usually gets no more than that. Text that is no address stays as it is.
 */
export const networkPrefix = (address: string): string => {
	if (isIP(address) === 4) return ipv4Prefix(address);
	const parsed = parseAddress(address);
	if (parsed === null) return address;
	return parsed instanceof ipaddr.IPv4 ? ipv4Prefix(parsed.toString()) : ipv6Prefix(parsed, 3);
};

const ipv4Prefix = (address: string): string =>
	`${address.slice(0, address.lastIndexOf('.'))}.0/24`;

/** The network of the first `groups` groups of 16 bits. */
const ipv6Prefix = ({ parts }: ipaddr.IPv6, groups: number): string => {
	const kept = parts.map((part, index) => (index < groups ? part : 0));
	return `${spelled(new ipaddr.IPv6(kept))}/${groups * 16}`;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type ProxyTest = (address: Address) => boolean;

const PRIVATE_RANGES: readonly string[] = ['loopback', 'linkLocal', 'private', 'uniqueLocal'];

const proxyTest = (trusted: TrustedProxies): ProxyTest => {
	if (trusted.kind === 'none') return () => false;
	if (trusted.kind === 'private') return (address) => PRIVATE_RANGES.includes(address.range());
	const ranges = trusted.entries.flatMap(compileRange);
	return (address) =>
		ranges.some(
			([range, prefix]) => range.kind() === address.kind() && address.match(range, prefix)
		);
};

/** Of IPv4-mapped ranges the part that is IPv4, since addresses are compared as IPv4 too. */
const compileRange = ({ address, family, prefix }: AddressRange): [Address, number][] => {
	const parsed = parseAddress(address);
	if (parsed === null) return [];
	if (family === 4 || parsed instanceof ipaddr.IPv6) return [[parsed, prefix]];
	return prefix >= 96 ? [[parsed, prefix - 96]] : [];
};

/**
 * Walks a chain from its right end, which the nearest proxy wrote, past our own proxies. What stands
 * further left than the first stranger was written by that stranger. Null when the walk meets
 * something that is no address, or nobody but our own.
 */
const nearestStranger = (chain: string, isProxy: ProxyTest): Address | null => {
	for (const hop of chain.split(',').reverse()) {
		const address = parseAddress(hop.trim());
		if (address === null || !isProxy(address)) return address;
	}
	return null;
};

/**
 * Exactly one address without port or brackets; null for anything else. Node decides what an address
 * is, because the library also takes octal, hexadecimal and shortened IPv4. Zones are dropped. The
 * library reads `::1.2.3.4` as IPv4-mapped, which it is not; with one more zero it does not.
 * An IPv4 address has no other spelling than the one Node takes.
 */
const parseAddress = (text: string): Address | null => {
	const family = isIP(text);
	if (family === 4) return ipaddr.IPv4.parse(text);
	if (family !== 6) return null;
	const address = ipaddr.IPv6.parse(text.replace(/%.*$/s, '').replace(/^::(?=\d+\.)/, '::0:'));
	return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
};

const spelled = (address: Address): string =>
	address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
