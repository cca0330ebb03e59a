import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { parsed, splitList } from './settings.ts';

/** The only host for which the browser may keep a session over plain http: this machine. */
export const isLocalhost = (url: URL): boolean =>
	['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) || url.hostname.endsWith('.localhost');

/**
 * Whether a connection to a host never leaves this machine. All names except `localhost` count as
 * remote, whatever they resolve to now: DNS can change that.
 */
export const isThisMachine = (host: string): boolean =>
	host.toLowerCase() === 'localhost' ||
	(isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback');

/** URLs allow more, which would act as syntax in a Content-Security-Policy. */
const PLAIN_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/i;

/** The public URL of the site: an origin and nothing more. */
export const publicUrl = parsed((text): Result<URL, string> => {
	const url = URL.canParse(text) ? new URL(text) : null;
	if (url === null || !/^https?:$/.test(url.protocol) || !PLAIN_HOST.test(url.host)) {
		return err(`"${text}" is not a URL. Write it like https://auth.example.org`);
	}
	return url.href === `${url.origin}/`
		? ok(url)
		: err(
				`it contains more than scheme, host and port. Set it to ${url.origin}. Postern must run at the root of its host`
			);
}, 'it is missing. Set it to the public URL of the site, such as https://example.org');

/** The shells of mobile apps load their pages from these origins. */
export const SHELL_ORIGINS: readonly string[] = [
	'capacitor://localhost',
	'ionic://localhost',
	'http://localhost'
];

/** Other origins that may call this server. They are compared as text, so each must be exact. */
export const trustedOrigins = parsed((list): Result<readonly string[], string> => {
	const origins = [...SHELL_ORIGINS];
	for (const entry of splitList(list)) {
		const origin = exactOrigin(entry.replace(/\/$/, ''));
		if (origin === null) {
			return err(
				`"${entry}" is not an origin. Write each as scheme://host or scheme://host:port, without path or wildcard`
			);
		}
		origins.push(origin);
	}
	return ok(origins);
});

/** Null for anything but `scheme://host[:port]`. In its canonical form. */
export const exactOrigin = (text: string): string | null => {
	if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\\?#@\s*]+$/i.test(text) || !URL.canParse(text)) return null;
	const url = new URL(text);
	if (!PLAIN_HOST.test(url.host) || !['', '/'].includes(url.pathname)) return null;
	return `${url.protocol}//${url.host}`.toLowerCase();
};

/** Peers whose forwarded-for headers are trusted. `private`: loopback, link-local and private ones. */
export type TrustedProxies =
	| { readonly kind: 'private' }
	| { readonly kind: 'none' }
	| { readonly kind: 'listed'; readonly entries: readonly AddressRange[] };

interface AddressRange {
	/** As the operator wrote it. */
	readonly text: string;
	readonly address: Address;
	readonly prefix: number;
}

export const trustedProxies = parsed((list): Result<TrustedProxies, string> => {
	const fix = 'List addresses or CIDR ranges such as 10.0.0.0/8, or set it to none';
	if (list.toLowerCase() === 'none') return ok({ kind: 'none' });
	const entries: AddressRange[] = [];
	for (const entry of splitList(list)) {
		const range = parseRange(entry);
		if (range === null) return err(`"${entry}" is neither an address nor a CIDR range. ${fix}`);
		if (isTooWide(range)) {
			return err(
				`"${entry}" would trust a large part of the internet, so a client could choose its own address. ${fix}`
			);
		}
		entries.push(range);
	}
	return entries.length > 0 ? ok({ kind: 'listed', entries }) : err(`the list is empty. ${fix}`);
});

/** A range of addresses that stand for IPv4 becomes a range of IPv4. */
const parseRange = (text: string): AddressRange | null => {
	const [written = '', bits, ...rest] = text.split('/');
	const address = parseAddress(written);
	if (address === null || written.includes('%') || rest.length > 0) return null;
	const longest = isIP(written) === 4 ? 32 : 128;
	const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
	if (prefix > longest) return null;
	const embedded = address instanceof ipaddr.IPv4 ? longest - 32 : 0;
	return { text, address, prefix: prefix - embedded };
};

/** No network of proxies is wider than these. */
const isTooWide = ({ address, prefix }: AddressRange): boolean => {
	if (address instanceof ipaddr.IPv4) return prefix < 8;
	return prefix < (['uniqueLocal', 'linkLocal'].includes(address.range()) ? 7 : 16);
};

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Behind such a gateway, all IPv4 clients come from this range (RFC 6052). */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');

/**
 * Parses exactly one address without port or brackets, and returns null for anything else. Node
 * validates it first, because the library also accepts octal, hexadecimal and shortened IPv4. Zones
 * are dropped. The library misreads `::1.2.3.4` as IPv4-mapped; adding a zero group avoids that.
 */
export const parseAddress = (text: string): Address | null => {
	const family = isIP(text);
	if (family === 4) return ipaddr.IPv4.parse(text);
	if (family !== 6) return null;
	const address = ipaddr.IPv6.parse(text.replace(/%.*$/s, '').replace(/^::(?=\d+\.)/, '::0:'));
	if (address.isIPv4MappedAddress()) return address.toIPv4Address();
	return address.match(NAT64, 96) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
};
