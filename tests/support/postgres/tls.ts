import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from '../mail/smtp-sink.ts';

/** The role that needs its password; all others are trusted. */
export const ASKED_ROLE = 'postern_asked';

/** Plain connections only to the maintenance database, so that a test sees any other one fail. */
const HBA = `
local all all trust
hostssl all ${ASKED_ROLE} 127.0.0.1/32 scram-sha-256
hostnossl postgres postgres 127.0.0.1/32 trust
hostssl all all 127.0.0.1/32 trust
`;

/** Prepares a server that has not been started. */
export const requireTls = (
	dataDir: string,
	certificate: Certificate,
	/** The user that runs the server, if it is another one. */
	runner: { readonly uid: number; readonly gid: number } | null
): void => {
	writeFileSync(join(dataDir, 'pg_hba.conf'), HBA);
	writeCertificate(dataDir, certificate);
	if (runner === null) return;
	for (const name of ['server.key', 'server.crt']) {
		chownSync(join(dataDir, name), runner.uid, runner.gid);
	}
};

/**
 * With the names that PostgreSQL expects; a running server reloads them with `pg_reload_conf()`.
 */
export const writeCertificate = (dataDir: string, { key, cert }: Certificate): void => {
	writeFileSync(join(dataDir, 'server.crt'), cert);
	writeFileSync(join(dataDir, 'server.key'), key, { mode: 0o600 });
	chmodSync(join(dataDir, 'server.key'), 0o600);
};
