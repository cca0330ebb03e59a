import { spawn } from 'node:child_process';
import { programFile } from '../../../bin/fresh-build.ts';
import { COMPILED, NO_SETTINGS, TEST_SECRET } from '../process/built-server.ts';

export interface Start {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
	readonly lines: readonly string[];
}

/** Starts the server as an operator does, for starts that must fail; waits for its end. */
export const failedStart = (
	env: Readonly<Record<string, string>>,
	{ node = process.execPath, args = [] as readonly string[] } = {}
): Promise<Start> =>
	new Promise((resolve, reject) => {
		const child = spawn(node, [...args, programFile('start')], {
			env: {
				...NO_SETTINGS,
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
