import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ok } from '#lib/domain/errors.ts';
import { refuse, type Checked } from './checked.ts';
import {
	databaseServers,
	isSocket,
	isThisMachine,
	mixesSockets,
	sharesCertificates,
	type DatabaseServer,
	type ServerDefaults
} from './database-servers.ts';

/** How to reach PostgreSQL. */
export interface DatabaseAccess {
	readonly servers: readonly DatabaseServer[];
	/** Null is a plain connection. Otherwise TLS, with certificate and host name verified. */
	readonly tls: VerifiedTls | null;
}

export interface VerifiedTls {
	/**
	 * Certificates of the trusted authorities, as PEM. Null for the ones that Node trusts by
	 * default.
	 */
	readonly ca: string | null;
}

export type TlsSetting = 'on' | 'off' | null;

export interface AccessSettings {
	readonly url: string;
	readonly setting?: TlsSetting;
	readonly ca?: string | null;
	readonly defaults?: ServerDefaults;
}

/**
 * The TLS modes of a URL, and whether each requests TLS. Other drivers verify less for some of
 * these.
 */
const MODES: ReadonlyMap<string, boolean> = new Map([
	...['require', 'verify-ca', 'verify-full', 'true'].map((mode) => [mode, true] as const),
	...['disable', 'allow', 'prefer', 'false'].map((mode) => [mode, false] as const)
]);
const REMOVE =
	'Remove it: without it, TLS is used and verified on every connection to another machine';

/**
 * Decides about TLS. Every connection to another machine uses verified TLS. A connection to this
 * machine uses it only on request. A URL can request TLS but never weaken it. Only
 * `DATABASE_TLS=off` does that.
 */
export const databaseAccess = ({
	url,
	setting = null,
	ca = null,
	defaults = {}
}: AccessSettings): Checked<DatabaseAccess> => {
	const servers = databaseServers(url, defaults);
	const query = new URL(url).searchParams;
	const modes = ['sslmode', 'ssl'].flatMap((name) =>
		query.getAll(name).map((mode) => ({ mode, shown: `${name}=${mode}` }))
	);
	for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
		if (query.has(name)) {
			return refuse(
				`${name} has no effect here`,
				'Remove it, and set DATABASE_CA to the file of the certificate authority'
			);
		}
	}
	for (const { mode, shown } of modes) {
		if (!MODES.has(mode)) return refuse(`${shown} is not supported`, REMOVE);
	}
	if (mixesSockets(servers)) {
		return refuse(
			'a list of servers cannot contain a Unix socket',
			'Name either one socket or only hosts, in the URL or in PGHOST'
		);
	}
	const isLocal = servers.every(isThisMachine);
	const asking = modes.find(({ mode }) => MODES.get(mode) === true);
	const weak = modes.find(({ mode }) => MODES.get(mode) === false);
	if (setting === 'off') {
		return asking === undefined
			? ok({ servers, tls: null })
			: refuse(
					`${asking.shown} requests TLS, but DATABASE_TLS=off turns it off`,
					'Remove one of the two'
				);
	}
	const isAsked = setting === 'on' || asking !== undefined || ca !== null;
	if (servers.some(isSocket)) {
		return isAsked
			? refuse(
					'PostgreSQL has no TLS on a Unix socket',
					'Remove sslmode, DATABASE_TLS and DATABASE_CA, or name a host'
				)
			: ok({ servers, tls: null });
	}
	if (weak !== undefined && (!isLocal || isAsked)) {
		return refuse(
			`${weak.shown} would send passwords and data without verified TLS`,
			'Remove it, or set DATABASE_TLS=off if nobody else can read the network between the machines'
		);
	}
	const tls = isLocal && !isAsked ? null : { ca };
	if (tls !== null && sharesCertificates(servers)) {
		return refuse(
			'with TLS, a list of servers can contain only one IP address, and not together with localhost',
			'Use the host names in their certificates'
		);
	}
	return ok({ servers, tls });
};

export const parseTlsSetting = (value: string | undefined): Checked<TlsSetting> =>
	value === undefined || value === 'on' || value === 'off'
		? ok(value ?? null)
		: refuse(`"${value}" is not a valid value`, 'Set it to on or off, or remove it');

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const FIX = 'Name a file with one or more certificates in PEM form';

/** Reads the certificates of a file. It checks them at start, not on the first connection. */
export const readAuthorities = (path: string | undefined): Checked<string | null> => {
	if (path === undefined) return ok(null);
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
		return refuse(`the file ${path} cannot be read${code}`, FIX);
	}
	const certificates = text.match(PEM) ?? [];
	if (certificates.length === 0) return refuse(`there is no certificate in the file ${path}`, FIX);
	try {
		for (const certificate of certificates) new X509Certificate(certificate);
	} catch {
		return refuse(`a certificate in the file ${path} cannot be read`, FIX);
	}
	return ok(certificates.join('\n'));
};
