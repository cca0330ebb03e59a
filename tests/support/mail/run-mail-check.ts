import { execFile } from 'node:child_process';
import { programFile } from '../../../bin/fresh-build.ts';
import { projectRoot } from '../files/scratch-copy.ts';

export interface Run {
	readonly status: unknown;
	readonly output: string;
}

/** Runs the built `mail:check` with these arguments. Without other settings, it asks no DNS. */
export const runMailCheck = (
	args: readonly string[],
	settings: Readonly<Record<string, string>> = {}
): Promise<Run> =>
	new Promise((resolve) => {
		const env = {
			PATH: process.env['PATH'] ?? '',
			NO_COLOR: '1',
			AUTH_SECRET: 'k3J0v9Qm2Xc7Tz1Rb8Wn4Ys6Lp5Hd0Gf_aUeIoNq',
			AUTH_URL: 'https://auth.example.org',
			EMAIL_API_KEY: 'key',
			EMAIL_SERVICE: '',
			EMAIL_HOST: '127.0.0.1',
			EMAIL_FROM: 'no-reply@example.test',
			EMAIL_ALLOW_PLAIN: '1',
			SITE_NAME: '',
			SUPPORT_EMAIL: '',
			NODE_ENV: '',
			...settings
		};
		const argv = [programFile('mail-check'), ...args];
		execFile(process.execPath, argv, { cwd: projectRoot, env }, (error, stdout, stderr) =>
			resolve({ status: error?.code ?? 0, output: stdout + stderr })
		);
	});
