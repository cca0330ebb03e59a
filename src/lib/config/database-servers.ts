import { BlockList, isIP } from 'node:net';

/**
 * Where a PostgreSQL server listens. A host that begins with a slash is the folder of a Unix
 * socket.
 */
export interface DatabaseServer {
	readonly host: string;
	readonly port: number;
}

/** Defaults for a URL without a host or port, as with `psql`. */
export interface ServerDefaults {
	readonly host?: string | undefined;
	readonly port?: string | undefined;
}

/**
 * The servers that a URL names. As in libpq, `a,b:5433` names two servers, and the port belongs
 * to the last one. The driver gets this list instead of the URL, so that it connects only to the
 * hosts that TLS was decided for.
 */
export const databaseServers = (
	address: string,
	{ host = 'localhost', port = '5432' }: ServerDefaults = {}
): readonly DatabaseServer[] => {
	const url = new URL(address);
	const hosts = (decodeURIComponent(url.hostname) || host).split(',');
	return hosts.map((name, i) => ({
		// A URL has IPv6 addresses in brackets.
		host: name.replace(/^\[(.*)\]$/, '$1'),
		port: Number((i === hosts.length - 1 && url.port) || port)
	}));
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a connection to the server never leaves this machine. All names except `localhost`
 * count as remote, whatever they resolve to now: DNS can change that.
 */
export const isThisMachine = ({ host }: DatabaseServer): boolean => {
	const version = isIP(host);
	if (version === 0) return isSocket({ host }) || host.toLowerCase() === 'localhost';
	return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
};

/**
 * Whether one of several servers is a Unix socket. The driver connects to a socket or to hosts, never to
 * both, and TLS is decided once for the whole list.
 */
export const mixesSockets = (servers: readonly DatabaseServer[]): boolean =>
	servers.length > 1 && servers.some(isSocket);

/**
 * Whether a certificate of one server would be accepted from another. The driver gives no name for an
 * IP address, and Node then checks for "localhost", so these connections cannot be told apart.
 */
export const sharesCertificates = (servers: readonly DatabaseServer[]): boolean => {
	const hosts = new Set(servers.map(({ host }) => host.toLowerCase()));
	const addresses = [...hosts].filter((host) => isIP(host) !== 0);
	return addresses.length > 1 || (addresses.length === 1 && hosts.has('localhost'));
};

/** PostgreSQL has no TLS on Unix sockets. */
export const isSocket = ({ host }: Pick<DatabaseServer, 'host'>): boolean => host.startsWith('/');
