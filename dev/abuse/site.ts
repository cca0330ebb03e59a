import { memoryOf, processOf } from '../../tests/support/process/server-process.ts';
import { startBuiltServer, type BuiltServer } from '../../tests/support/process/built-server.ts';
import { mailingThrough } from '../../tests/support/mail/mail-settings.ts';
import { startSlowMailServer, type SlowMailServer } from './mail.ts';

/** A server of one build on one database, with a slow mail server. */
export interface Site {
	readonly server: BuiltServer;
	readonly mail: SlowMailServer;
	/** The most memory that the server used so far, in megabytes. */
	peakMemory(): number;
	stop(): Promise<void>;
}

export interface SiteOptions {
	/** A folder with another build than the current one. */
	readonly folder?: string;
	readonly databaseUrl?: string;
	/** The value of EMAIL_BUDGET. Empty for none. */
	readonly budget: string;
	/** Milliseconds for each email. */
	readonly mailDelay: number;
}

/** The email addresses of owners. Attackers send to other addresses, or to these. */
export const OWNERS = '@owners.example';

const EVERY = 250;

export const startSite = async ({
	folder,
	databaseUrl,
	budget,
	mailDelay
}: SiteOptions): Promise<Site> => {
	const mail = await startSlowMailServer(mailDelay, (email) => email.endsWith(OWNERS));
	const server = await startBuiltServer({
		...(folder !== undefined && { folder }),
		...(databaseUrl !== undefined && { databaseUrl }),
		env: {
			...mailingThrough(mail.port),
			EMAIL_BUDGET: budget,
			// Every attacker and owner is a client behind this proxy.
			AUTH_TRUSTED_PROXIES: '127.0.0.1,::1'
		}
	});
	const pid = processOf(server);
	let peak = 0;
	const look = (): void => void (peak = Math.max(peak, memoryOf(pid)));
	const timer = setInterval(look, EVERY);
	return {
		server,
		mail,
		peakMemory: () => {
			look();
			return peak;
		},
		stop: async () => {
			clearInterval(timer);
			await server.stop();
			await mail.stop();
		}
	};
};
