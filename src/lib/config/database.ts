import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { err, ok, type Result } from '#lib/domain/errors.ts';
import { reasonOf } from '#lib/operator-messages.ts';
import { isThisMachine } from './addresses.ts';
import { invalid, parsed, readSettings, type Environment, type Refuse } from './settings.ts';

/** The database and how to reach it. */
interface DatabaseConfig {
	readonly kind: 'sqlite' | 'postgres';
	readonly url: string;
	readonly access: DatabaseAccess;
}

export interface DatabaseAccess {
	/** Empty for SQLite. One that begins with a slash is the folder of a Unix socket. */
	readonly host: string;
	readonly port: number;
	/**
	 * Null is a plain connection. Otherwise TLS, with certificate and host name verified. `ca` are the
	 * trusted authorities, as PEM. Null for the ones that Node trusts by default.
	 */
	readonly tls: { readonly ca: string | null } | null;
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
	try {
		const certificates = readFileSync(path, 'utf8').match(PEM) ?? [];
		for (const certificate of certificates) new X509Certificate(certificate);
		return certificates.length > 0
			? ok(certificates.join('\n'))
			: err(`there is no certificate in the file ${path}. ${fix}`);
	} catch (error) {
		return err(`the file ${path} cannot be read (${reasonOf(error)}). ${fix}`);
	}
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
	const noServer = { host: '', port: 0, tls: null };
	if (set.DATABASE_TLS === 'off' && set.DATABASE_CA !== undefined) {
		refuse('DATABASE_CA', 'DATABASE_CA has no effect with DATABASE_TLS=off. Remove one of the two');
	}
	if (databaseKind(url) === 'sqlite') return { kind: 'sqlite', url, access: noServer };
	const access = databaseAccess(set);
	if (!access.ok) refuse('DATABASE_URL', access.error);
	return { kind: 'postgres', url, access: access.ok ? access.value : noServer };
};

/** The database alone, for commands that work while other settings are wrong. */
export const readDatabase = (env: Environment): Result<DatabaseConfig, readonly string[]> =>
	readSettings(schema, env, databaseConfig);

/** What in a URL requests TLS. Other drivers verify less for some of these. */
const REQUESTS_TLS = /=(?:require|verify-ca|verify-full|true)$/;

/**
 * Decides about TLS. Every connection to another machine uses verified TLS. A connection to this
 * machine uses it only on request. A URL can request TLS but never weaken it. Only
 * `DATABASE_TLS=off` does that. The driver gets the host instead of the URL, so that it connects only
 * to the one that TLS was decided for.
 */
export const databaseAccess = (set: DatabaseSettings): Result<DatabaseAccess, string> => {
	const { DATABASE_TLS: tls, DATABASE_CA: ca = null } = set;
	const url = new URL(set.DATABASE_URL);
	// A URL has IPv6 addresses in brackets.
	const named = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
	const host = named || set.PGHOST || 'localhost';
	const port = Number(url.port || set.PGPORT || 5432);
	if (host.includes(',')) return err('it names several servers. Name one');
	const query = url.searchParams;
	const file = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => query.has(name));
	if (file !== undefined) {
		return err(
			`${file} has no effect here. Remove it, and set DATABASE_CA to the file of the certificate authority`
		);
	}
	const modes = ['sslmode', 'ssl'].flatMap((name) =>
		query.getAll(name).map((mode) => `${name}=${mode}`)
	);
	const strong = modes.find((mode) => REQUESTS_TLS.test(mode));
	const weak = modes.find((mode) => !REQUESTS_TLS.test(mode));
	const off = weak ?? (tls === 'off' ? 'DATABASE_TLS=off' : undefined);
	if (strong !== undefined && off !== undefined) {
		return err(`${strong} requests TLS, but ${off} turns it off. Remove one of the two`);
	}
	if (tls === 'off') return ok({ host, port, tls: null });
	const isRequested = tls === 'on' || strong !== undefined || ca !== null;
	if (isRequested && isSocket(host)) {
		return err(
			'PostgreSQL has no TLS on a Unix socket. Remove sslmode, DATABASE_TLS and DATABASE_CA, or name a host'
		);
	}
	const needsTls = isRequested || isRemote(host);
	if (weak !== undefined && needsTls) {
		return err(
			`${weak} would send passwords and data without verified TLS. Remove it, or set DATABASE_TLS=off if nobody else can read the network between the machines`
		);
	}
	return ok({ host, port, tls: needsTls ? { ca } : null });
};

export const isSocket = (host: string): boolean => host.startsWith('/');

const isRemote = (host: string): boolean => !isSocket(host) && !isThisMachine(host);

export const exposureOf = ({ host, tls }: DatabaseAccess): string | null =>
	host !== '' && tls === null && isRemote(host)
		? `DATABASE_TLS=off: anyone on the network to ${host} can read and change the data between Postern and PostgreSQL`
		: null;
