import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import type { Options, Sql as Client } from 'postgres';
import { isSocket, type DatabaseServer } from '#lib/config/database-servers.ts';
import { databaseAccess, type DatabaseAccess } from '#lib/config/database-tls.ts';
import { Refused } from '../sql/refused.ts';

/** Opens clients of one database. */
export interface Connector {
	readonly access: DatabaseAccess;
	connect(options: Options<Record<string, never>>): Client;
}

/**
 * Every connection of ours is made here, so that none is less protected than another. Where nothing
 * is decided about TLS, it is as by default: verified on every connection to another machine.
 *
 * @throws Refused when the address asks for less
 */
export const connectorTo = async (
	url: string,
	access: DatabaseAccess = byDefault(url)
): Promise<Connector> => {
	// Only here, so that an installation on SQLite loads no second driver.
	const { default: connect } = await import('postgres');
	// These win over what the URL and the environment say.
	const target = { ...whereTo(access.servers), ssl: tlsOptions(access) };
	return { access, connect: (options) => connect(url, { ...options, ...target }) };
};

const byDefault = (url: string): DatabaseAccess => {
	const decided = databaseAccess({ url });
	if (decided.ok) return decided.value;
	throw new Refused(`DATABASE_URL: ${decided.error.why}. ${decided.error.mend}`);
};

/**
 * Lists, though the type of `Options` names single values (the driver's `BaseOptions` has both): in a
 * text the driver splits IPv6 addresses at their colons.
 */
const whereTo = (servers: readonly DatabaseServer[]): object => {
	const [first] = servers;
	if (first !== undefined && isSocket(first)) {
		return { path: `${first.host}/.s.PGSQL.${first.port}` };
	}
	return { host: servers.map(({ host }) => host), port: servers.map(({ port }) => port) };
};

const tlsOptions = ({ servers, tls }: DatabaseAccess): ConnectionOptions | false => {
	if (tls === null) return false;
	const hosts = servers.map(({ host }) => host);
	const addresses = hosts.filter((host) => isIP(host) !== 0);
	return {
		// Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED does not count.
		rejectUnauthorized: true,
		...(tls.ca === null ? {} : { ca: tls.ca }),
		checkServerIdentity: (name, certificate) => {
			// The driver names a host only where that is no IP address; Node then says "localhost".
			if (hosts.includes(name)) return checkServerIdentity(name, certificate);
			const faults = addresses.map((address) => checkServerIdentity(address, certificate));
			const isValid = faults.includes(undefined);
			return isValid ? undefined : (faults[0] ?? checkServerIdentity(name, certificate));
		}
	};
};
