import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

const FILE = '.env';

/**
 * Loads `.env`. Variables that are already set win. On a fresh checkout it first writes the file,
 * with a secret of its own. It does not do this when the environment contains configuration,
 * because a generated secret would differ between instances.
 */
export const loadEnvironment = (say: (line: string) => void): void => {
	const { env } = process;
	const configured =
		env['AUTH_SECRET'] !== undefined ||
		env['NODE_ENV'] === 'production' ||
		(env['AUTH_URL'] ?? '').startsWith('https:');
	if (!existsSync(FILE) && !configured) {
		const port = env['PORT'] || '3000';
		const lines = [
			'# Written by the first start. Every setting is described in .env.example.',
			`AUTH_SECRET=${randomBytes(33).toString('base64url')}`,
			`AUTH_URL=http://localhost:${port}`
		];
		writeFileSync(FILE, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
		say(`wrote ${FILE} with a new secret and AUTH_URL=http://localhost:${port}`);
	}
	if (existsSync(FILE)) loadEnvFile(FILE);
};
