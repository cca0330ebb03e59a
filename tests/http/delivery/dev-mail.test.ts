import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEV_MAIL } from '#lib/adapters/mail/preview/dev-mail.ts';
import {
	COMPILED,
	NO_SETTINGS,
	startBuiltServer,
	TEST_SECRET,
	type BuiltServer
} from '../../support/process/built-server.ts';
import { freePort } from '../../support/process/free-port.ts';
import { bearer, call, SEND, signIn } from '../../support/http/client.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';

/** The names and contents of all files in a folder of the project. */
const filesIn = (folder: string): readonly (readonly [path: string, content: string])[] =>
	readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => relative(projectRoot, join(parentPath, name)))
		.map((path) => [path, readFileSync(join(projectRoot, path), 'latin1')]);

describe('a production build', () => {
	let server: BuiltServer;
	beforeAll(async () => {
		server = await startBuiltServer();
	});
	afterAll(() => server.stop());

	test('N07 does not contain the page that lists emails: no path, no text, no code', () => {
		// The folder next to the build holds another build, for tests, with its sources.
		const built = filesIn('build')
			.filter(([path]) => !path.startsWith(join('build', 'alphanumeric')))
			.map(([path, content]) => `${path}\n${content}`)
			.join('\n');
		const sources = filesIn(join('src', 'lib', 'adapters', 'mail', 'preview')).join('\n');
		for (const mark of [DEV_MAIL, 'Sent by this server, newest first', 'dev-mail.ts']) {
			expect([mark, sources.includes(mark)]).toEqual([mark, true]);
			expect([mark, built.includes(mark)]).toEqual([mark, false]);
		}
		// Checks that the search would find the emails: the messages themselves are there.
		expect(built).toContain('will never ask you for this code');
	});

	test('E21 N07 answers its path like any other that does not exist', async () => {
		const { token } = await signIn(server);
		const response = await call(server, DEV_MAIL);
		expect([response.status, response.headers.location]).toEqual([
			303,
			`/auth/sign-in?redirectTo=${encodeURIComponent(DEV_MAIL)}`
		]);
		expect((await call(server, DEV_MAIL, { headers: bearer(token) })).status).toBe(404);
	});
});

describe('the development server', () => {
	let folder: string;
	let child: ChildProcess;
	let output = '';
	let address = '';

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'postern-dev-'));
		const port = await freePort();
		address = `http://localhost:${port}`;
		child = spawn(process.execPath, ['dev/dev.ts'], {
			cwd: projectRoot,
			env: {
				...NO_SETTINGS,
				...COMPILED,
				PATH: process.env['PATH'] ?? '',
				AUTH_SECRET: TEST_SECRET,
				AUTH_URL: address,
				HOST: '127.0.0.1',
				PORT: String(port),
				DATABASE_URL: `file:${join(folder, 'postern.db')}`
			},
			stdio: ['ignore', 'pipe', 'pipe']
		});
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
		}
		await vi.waitFor(() => expect(output).toContain(`open ${address}${DEV_MAIL} `), {
			timeout: 30_000
		});
	});
	afterAll(async () => {
		const exited = once(child, 'exit');
		child.kill();
		await exited;
		rmSync(folder, { recursive: true, force: true });
	});

	test('N04 shows a code on its page and on the console, and only to this machine', async () => {
		const page = `${address}${DEV_MAIL}`;
		expect(await (await fetch(page)).text()).toContain('None yet.');
		const response = await fetch(address + SEND, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
			body: JSON.stringify({ email: 'ada@example.com', type: 'sign-in' })
		});
		expect(response.status).toBe(200);
		await expect.poll(() => output).toMatch(/sign-in code for ada@example\.com: \d{6}/);
		const [, code = ''] = /sign-in code for ada@example\.com: (\d{6})/.exec(output) ?? [];

		const shown = await fetch(page, { headers: { origin: 'http://localhost:5000' } });
		const html = await shown.text();
		expect(html).toContain(`<output>${code}</output>`);
		expect(html).toContain(' UTC from curl, 127.0.0.1.');
		expect(shown.headers.get('access-control-allow-origin')).toBeNull();
		const policy = shown.headers.get('content-security-policy');
		expect(policy).toContain("default-src 'none'");
		expect(policy).not.toContain('script-src');

		const tunnelled = { 'x-forwarded-for': '203.0.113.7' };
		const forwarded = await fetch(page, { headers: tunnelled, redirect: 'manual' });
		expect(forwarded.status).toBe(303);
	});
});
