import { refuse, type Findings } from './checked.ts';
import { isThisMachine } from './database-servers.ts';
import {
	databaseAccess,
	parseTlsSetting,
	readAuthorities,
	type DatabaseAccess
} from './database-tls.ts';
import { parseDatabase, type DatabaseConfig } from './values.ts';

/** The database and how to reach it. SQLite needs no servers. */
export interface DatabaseSettings extends DatabaseConfig {
	readonly access: DatabaseAccess;
}

const NOWHERE: DatabaseAccess = { servers: [], tls: null };

export const readDatabase = ({ value, note, warn }: Findings): DatabaseSettings => {
	const nothing: DatabaseConfig = { kind: 'sqlite', url: '' };
	const database = note('DATABASE_URL', parseDatabase(value('DATABASE_URL')), nothing);
	const setting = note('DATABASE_TLS', parseTlsSetting(value('DATABASE_TLS')), null);
	const ca = note('DATABASE_CA', readAuthorities(value('DATABASE_CA')), null);
	if (setting === 'off' && ca !== null) {
		const clash = refuse(
			'DATABASE_CA has no effect with DATABASE_TLS=off',
			'Remove one of the two'
		);
		note('DATABASE_CA', clash, null);
	}
	if (database.kind === 'sqlite') return { ...database, access: NOWHERE };
	const defaults = { host: value('PGHOST'), port: value('PGPORT') };
	const decided = databaseAccess({ url: database.url, setting, ca, defaults });
	const access = note('DATABASE_URL', decided, NOWHERE);
	const remote = access.servers.filter((server) => !isThisMachine(server));
	if (access.tls === null && remote.length > 0) {
		const hosts = remote.map(({ host }) => host).join(', ');
		warn(
			`DATABASE_TLS=off: anyone on the network to ${hosts} can read and change the data between Postern and PostgreSQL`
		);
	}
	return { ...database, access };
};
