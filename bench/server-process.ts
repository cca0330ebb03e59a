import { resolve } from 'node:path';
import { ensureBuild, programFile, SERVER_FLAGS } from '../bin/fresh-build.ts';
import { NO_SETTINGS, TEST_SECRET } from '../tests/support/process/built-server.ts';
import { freePort } from '../tests/support/process/free-port.ts';
import { startProcess, type ServerProcess } from './start-process.ts';

export { startProcess, type ServerProcess };

export interface PosternOptions {
	/** `file:…` or `postgres://…`. The start migrates it. */
	readonly databaseUrl: string;
	readonly port?: number;
	/** The port of a mail server on this machine. Without one, the server prints emails. */
	readonly smtpPort?: number;
	/** Further settings. They override the others. */
	readonly env?: Readonly<Record<string, string>>;
}

/** Starts the production build as an operator does, at `http://localhost` on a free port. */
export const startPostern = async (options: PosternOptions): Promise<ServerProcess> => {
	ensureBuild((line) => console.error(line));
	const port = options.port ?? (await freePort());
	const mail = options.smtpPort === undefined ? {} : mailSettings(options.smtpPort);
	return startProcess({
		name: `postern on ${options.databaseUrl.startsWith('file:') ? 'SQLite' : 'PostgreSQL'}`,
		cwd: resolve(import.meta.dirname, '..'),
		args: [...SERVER_FLAGS, programFile('start')],
		port,
		probe: '/readyz',
		env: {
			...NO_SETTINGS,
			NODE_ENV: 'production',
			TZ: 'UTC',
			AUTH_SECRET: TEST_SECRET,
			AUTH_URL: `http://localhost:${port}`,
			HOST: '127.0.0.1',
			PORT: String(port),
			DATABASE_URL: options.databaseUrl,
			...mail,
			// The peer has no such notice. Here, each sign-in of a known user would send one.
			NOTICE_NEW_DEVICE: 'off',
			...options.env
		}
	});
};

const mailSettings = (port: number): Record<string, string> => ({
	EMAIL_API_KEY: 'unused',
	EMAIL_FROM: 'Postern <no-reply@example.test>',
	EMAIL_HOST: '127.0.0.1',
	EMAIL_PORT: String(port),
	EMAIL_ALLOW_PLAIN: '1'
});
