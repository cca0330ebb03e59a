import { BlockList, isIP } from 'node:net';

/** Where a PostgreSQL server listens. A host that begins with a slash is the folder of a Unix socket. */
export interface DatabaseServer {
	readonly host: string;
	readonly port: number;
}

/** What counts where the address names no host or no port, as with `psql`. */
export interface ServerDefaults {
	readonly host?: string | undefined;
	readonly port?: string | undefined;
}

/**
 * The servers that an address names: `a,b:5433` are two, and the port is the last one's, as in libpq.
 * The driver is given this list instead of reading the address itself, so that no other host is
 * connected to than the one TLS was decided for.
 */
export const databaseServers = (
	address: string,
	{ host = 'localhost', port = '5432' }: ServerDefaults = {}
): readonly DatabaseServer[] => {
	const url = new URL(address);
	const hosts = (decodeURIComponent(url.hostname) || host).split(',');
	return hosts.map((name, i) => ({
		// A URL holds IPv6 addresses in brackets.
		host: name.replace(/^\[(.*)\]$/, '$1'),
		port: Number((i === hosts.length - 1 && url.port) || port)
	}));
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a connection to it never leaves this machine. Names beside `localhost` count as remote,
 * wherever they lead now: who answers DNS decides that.
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
