import { BlockList, isIP } from 'node:net';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { parsed, splitList } from './settings.ts';

/** The only host for which the browser may keep a session over plain http: this machine. */
export const isLocalhost = (url: URL): boolean =>
	['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) || url.hostname.endsWith('.localhost');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a connection to a host never leaves this machine. All names except `localhost` count as
 * remote, whatever they resolve to now: DNS can change that.
 */
export const isThisMachine = (host: string): boolean => {
	const version = isIP(host);
	if (version === 0) return host.toLowerCase() === 'localhost';
	return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
};

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

export interface AddressRange {
	readonly address: string;
	readonly family: 4 | 6;
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

const parseRange = (entry: string): AddressRange | null => {
	const [address = '', bits, ...rest] = entry.split('/');
	const family = isIP(address);
	if ((family !== 4 && family !== 6) || address.includes('%') || rest.length > 0) return null;
	const longest = family === 4 ? 32 : 128;
	if (bits === undefined) return { address, family, prefix: longest };
	const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
	return prefix <= longest ? { address, family, prefix } : null;
};

/** Ranges of IPv6 that stand for IPv4: mapped addresses, and those of a NAT64 (RFC 6052). */
const EMBEDS_IPV4 = /^(?:0*:)*:?(?:0+:)*ffff:|^0*64:ff9b::/i;
/** fc00::/7 and fe80::/10. */
const PRIVATE_IPV6 = /^f[cde][0-9a-f]{2}:/i;

/** No network of proxies is wider than these. */
const isTooWide = ({ address, family, prefix }: AddressRange): boolean => {
	if (family === 4) return prefix < 8;
	if (EMBEDS_IPV4.test(address)) return prefix < 96 + 8;
	return prefix < (PRIVATE_IPV6.test(address) ? 7 : 16);
};
