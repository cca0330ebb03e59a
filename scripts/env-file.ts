import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

const FILE = '.env';

/**
 * Loads `.env`; variables that are set already win. On a fresh checkout it is written first, with
 * a secret of its own. Not where somebody configures by environment: a secret made up there
 * would differ from instance to instance.
 */
export const loadEnvironment = (say: (line: string) => void): void => {
	const { env } = process;
	const configured =
		env['AUTH_SECRET'] !== undefined ||
		env['NODE_ENV'] === 'production' ||
		(env['AUTH_URL'] ?? '').startsWith('https:');
	if (!existsSync(FILE) && !configured) {
		const port = env['PORT'] || '3000';
		writeFileSync(FILE, freshFile(port), { mode: 0o600, flag: 'wx' });
		say(`wrote ${FILE} with a secret of its own and AUTH_URL=http://localhost:${port}`);
	}
	if (existsSync(FILE)) loadEnvFile(FILE);
};

const freshFile = (port: string): string =>
	[
		'# Written by the first start. Every setting is described in .env.example.',
		`AUTH_SECRET=${randomBytes(33).toString('base64url')}`,
		`AUTH_URL=http://localhost:${port}`,
		''
	].join('\n');
