import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { reasonOf } from '#lib/operator-messages.ts';
import { isThisMachine } from './addresses.ts';
import { invalid, parsed, readSettings, type Environment, type Refuse } from './settings.ts';

/** The database and how to reach it. SQLite needs no servers. */
interface DatabaseConfig {
	readonly kind: 'sqlite' | 'postgres';
	readonly url: string;
	readonly access: DatabaseAccess;
}

export interface DatabaseAccess {
	readonly servers: readonly DatabaseServer[];
	/**
	 * Null is a plain connection. Otherwise TLS, with certificate and host name verified. `ca` are the
	 * trusted authorities, as PEM. Null for the ones that Node trusts by default.
	 */
	readonly tls: { readonly ca: string | null } | null;
}

/** A host that begins with a slash is the folder of a Unix socket. */
export interface DatabaseServer {
	readonly host: string;
	readonly port: number;
}

/** SQLite in a file, or PostgreSQL when several instances share one database. Null for others. */
export const databaseKind = (url: string): DatabaseConfig['kind'] | null => {
	if (/^file:./.test(url) && !/^file::memory:/.test(url)) return 'sqlite';
	return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? 'postgres' : null;
};

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the certificates of a file. It checks them at start, not on the first connection. */
const readAuthorities = (path: string): Result<string, string> => {
	const fix = 'Name a file with one or more certificates in PEM form';
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		return err(`the file ${path} cannot be read (${reasonOf(error)}). ${fix}`);
	}
	const certificates = text.match(PEM) ?? [];
	if (certificates.length === 0) return err(`there is no certificate in the file ${path}. ${fix}`);
	try {
		for (const certificate of certificates) new X509Certificate(certificate);
	} catch {
		return err(`a certificate in the file ${path} cannot be read. ${fix}`);
	}
	return ok(certificates.join('\n'));
};

export const databaseSettings = {
	DATABASE_URL: z
		.string()
		.default('file:./data/postern.db')
		// The message does not repeat the value, because it can hold a password.
		.refine(
			(url) => databaseKind(url) !== null,
			'it is neither a SQLite file nor a PostgreSQL URL. Write file:./data/postern.db or postgres://user:password@host:5432/database'
		),
	DATABASE_TLS: z.enum(['on', 'off'], invalid('on or off, or remove it')).optional(),
	DATABASE_CA: parsed(readAuthorities).optional(),
	/** For a URL without a host or port, as with `psql`. */
	PGHOST: z.string().optional(),
	PGPORT: z.string().optional()
};
const schema = z.object(databaseSettings);
type DatabaseSettings = z.output<typeof schema>;

export const databaseConfig = (set: DatabaseSettings, refuse: Refuse): DatabaseConfig => {
	const url = set.DATABASE_URL;
	const noServers = { servers: [], tls: null };
	if (set.DATABASE_TLS === 'off' && set.DATABASE_CA !== undefined) {
		refuse('DATABASE_CA', 'DATABASE_CA has no effect with DATABASE_TLS=off. Remove one of the two');
	}
	if (databaseKind(url) === 'sqlite') return { kind: 'sqlite', url, access: noServers };
	const access = databaseAccess(set);
	if (!access.ok) refuse('DATABASE_URL', access.error);
	return { kind: 'postgres', url, access: access.ok ? access.value : noServers };
};

/** The database alone, for commands that work while other settings are wrong. */
export const readDatabase = (env: Environment): Result<DatabaseConfig, readonly string[]> =>
	readSettings(schema, env, databaseConfig);

/** TLS modes of a URL. Other drivers verify less for some of these. */
const STRONG = ['require', 'verify-ca', 'verify-full', 'true'];
const WEAK = ['disable', 'allow', 'prefer', 'false'];

/**
 * Decides about TLS. Every connection to another machine uses verified TLS. A connection to this
 * machine uses it only on request. A URL can request TLS but never weaken it. Only
 * `DATABASE_TLS=off` does that.
 */
export const databaseAccess = (set: DatabaseSettings): Result<DatabaseAccess, string> => {
	const { DATABASE_TLS: tls, DATABASE_CA: ca = null } = set;
	const servers = serversOf(set);
	const query = new URL(set.DATABASE_URL).searchParams;
	const modes = ['sslmode', 'ssl'].flatMap((name) =>
		query.getAll(name).map((mode) => ({ mode, shown: `${name}=${mode}` }))
	);
	for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
		if (query.has(name)) {
			return err(
				`${name} has no effect here. Remove it, and set DATABASE_CA to the file of the certificate authority`
			);
		}
	}
	const unknown = modes.find(({ mode }) => ![...STRONG, ...WEAK].includes(mode));
	if (unknown !== undefined) {
		return err(
			`${unknown.shown} is not supported. Remove it: without it, TLS is used and verified on every connection to another machine`
		);
	}
	// The driver connects to a socket or to hosts, never to both.
	if (servers.length > 1 && servers.some(isSocket)) {
		return err(
			'a list of servers cannot contain a Unix socket. Name either one socket or only hosts, in the URL or in PGHOST'
		);
	}
	const strong = modes.find(({ mode }) => STRONG.includes(mode));
	const weak = modes.find(({ mode }) => WEAK.includes(mode));
	if (tls === 'off') {
		return strong === undefined
			? ok({ servers, tls: null })
			: err(
					`${strong.shown} requests TLS, but DATABASE_TLS=off turns it off. Remove one of the two`
				);
	}
	const isRequested = tls === 'on' || strong !== undefined || ca !== null;
	if (servers.some(isSocket)) {
		return isRequested
			? err(
					'PostgreSQL has no TLS on a Unix socket. Remove sslmode, DATABASE_TLS and DATABASE_CA, or name a host'
				)
			: ok({ servers, tls: null });
	}
	const needsTls = isRequested || servers.some(isRemote);
	if (weak !== undefined && needsTls) {
		return err(
			`${weak.shown} would send passwords and data without verified TLS. Remove it, or set DATABASE_TLS=off if nobody else can read the network between the machines`
		);
	}
	if (needsTls && hasAmbiguousCertificates(servers)) {
		return err(
			'with TLS, a list of servers can contain only one IP address, and not together with localhost. Use the host names in their certificates'
		);
	}
	return ok({ servers, tls: needsTls ? { ca } : null });
};

/**
 * The servers that a URL names. As in libpq, `a,b:5433` names two servers, and the port belongs
 * to the last one. The driver gets this list instead of the URL, so that it connects only to the
 * hosts that TLS was decided for.
 */
const serversOf = (set: DatabaseSettings): readonly DatabaseServer[] => {
	const url = new URL(set.DATABASE_URL);
	const hosts = (decodeURIComponent(url.hostname) || set.PGHOST || 'localhost').split(',');
	return hosts.map((name, i) => ({
		// A URL has IPv6 addresses in brackets.
		host: name.replace(/^\[(.*)\]$/, '$1'),
		port: Number((i === hosts.length - 1 && url.port) || set.PGPORT || 5432)
	}));
};

export const isSocket = ({ host }: DatabaseServer): boolean => host.startsWith('/');

const isRemote = (server: DatabaseServer): boolean =>
	!isSocket(server) && !isThisMachine(server.host);

export const exposureOf = ({ servers, tls }: DatabaseAccess): string | null => {
	const remote = tls === null ? servers.filter(isRemote) : [];
	return remote.length === 0
		? null
		: `DATABASE_TLS=off: anyone on the network to ${remote.map(({ host }) => host).join(', ')} can read and change the data between Postern and PostgreSQL`;
};

/**
 * Whether a certificate of one server would be accepted from another. The driver gives no name for an
 * IP address, and Node then checks for "localhost", so these connections cannot be told apart.
 */
const hasAmbiguousCertificates = (servers: readonly DatabaseServer[]): boolean => {
	const hosts = new Set(servers.map(({ host }) => host.toLowerCase()));
	const addresses = [...hosts].filter((host) => isIP(host) !== 0);
	return addresses.length > 1 || (addresses.length === 1 && hosts.has('localhost'));
};
