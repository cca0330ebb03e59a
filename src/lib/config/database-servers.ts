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

/** PostgreSQL has no TLS on Unix sockets. */
export const isSocket = ({ host }: Pick<DatabaseServer, 'host'>): boolean => host.startsWith('/');
