import { spawn } from 'node:child_process';
import { programFile } from '../../../bin/fresh-build.ts';
import { COMPILED, TEST_SECRET } from '../process/built-server.ts';

export interface Start {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
	readonly lines: readonly string[];
}

/** Every setting, so that none comes from a developer’s own .env; empty means not set. */
const UNSET = Object.fromEntries(
	[
		...['AUTH_ALLOW_HTTP', 'AUTH_TRUSTED_ORIGINS', 'AUTH_TRUSTED_PROXIES', 'AUTH_SECRET_PREVIOUS'],
		...['DATABASE_CA', 'DATABASE_TLS'],
		...['AUTH_ENTRY', 'SIGN_UP', 'EMAIL_API_KEY', 'EMAIL_CHANGE_LINK', 'EMAIL_CHANGE_NOTICE'],
		'NOTICE_NEW_DEVICE',
		...[
			'EMAIL_SERVICE',
			'EMAIL_HOST',
			'EMAIL_PORT',
			'EMAIL_USER',
			'EMAIL_FROM',
			'EMAIL_ALLOW_PLAIN'
		],
		...['API_KEY', 'SERVICE', 'HOST', 'PORT', 'USER', 'FROM', 'ALLOW_PLAIN'].map(
			(name) => `EMAIL_FALLBACK_${name}`
		),
		...['EMAIL_TEMPLATES', 'EMAIL_CONSOLE', 'SITE_NAME', 'SUPPORT_EMAIL', 'NODE_ENV', 'HOST']
	].map((name) => [name, ''])
);

/** Starts the server as an operator does, for starts that must fail; waits for its end. */
export const failedStart = (
	env: Readonly<Record<string, string>>,
	{ node = process.execPath, args = [] as readonly string[] } = {}
): Promise<Start> =>
	new Promise((resolve, reject) => {
		const child = spawn(node, [...args, programFile('start')], {
			env: {
				...UNSET,
				...COMPILED,
				PATH: process.env['PATH'] ?? '',
				AUTH_SECRET: TEST_SECRET,
				AUTH_URL: 'http://localhost:3000',
				PORT: '3000',
				DATABASE_URL: 'file:/nonexistent/postern.db',
				...env
			},
			stdio: ['ignore', 'pipe', 'pipe']
		});
		let stdout = '';
		let stderr = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
		child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
		const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
		child.once('error', reject);
		child.once('close', (code) => {
			clearTimeout(timer);
			resolve({ code, stdout, stderr, lines: stderr.trimEnd().split('\n') });
		});
	});
