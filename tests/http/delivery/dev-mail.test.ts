import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { mailAttempts } from '#lib/adapters/mail/message.ts';
import { DEV_MAIL, devMail } from '#lib/adapters/mail/preview/dev-mail.ts';
import { readConfig } from '#lib/config.server.ts';
import { settingsOf, TEST_SECRET } from '../../support/process/built-server.ts';
import { freePort } from '../../support/process/free-port.ts';
import { SEND } from '../../support/http/client.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { exampleMails } from '../../support/mail/examples.ts';

/** The names and contents of all files in a folder of the project. */
const filesIn = (folder: string): readonly (readonly [path: string, content: string])[] =>
	readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => relative(projectRoot, join(parentPath, name)))
		.map((path) => [path, readFileSync(join(projectRoot, path), 'latin1')]);

test('N07 a production build does not contain the page that lists emails: no path, no text, no code', () => {
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
	expect(built).toContain('Never tell anyone this code.');
});

/** Shows this code on the page of emails, with no right for a script or another site. */
const expectShown = async (page: string, code: string, client: string): Promise<void> => {
	const shown = await fetch(page, { headers: { origin: 'http://localhost:5000' } });
	const html = await shown.text();
	expect(html).toContain(`<output>${code}</output>`);
	expect(html).toContain(`\u00a0UTC from ${client}.`);
	expect(shown.headers.get('access-control-allow-origin')).toBeNull();
	const policy = shown.headers.get('content-security-policy');
	expect(policy).toContain("default-src 'none'");
	expect(policy).not.toContain('script-src');
};
const TUNNELLED = { headers: { 'x-forwarded-for': '203.0.113.7' }, redirect: 'manual' } as const;

test('N04 a development server shows a sent code on its page, and only to this machine', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-dev-'));
	const port = await freePort();
	const address = `http://localhost:${port}`;
	const config = readConfig({ AUTH_SECRET: TEST_SECRET, AUTH_URL: address });
	if (!config.ok) throw new Error('these settings suffice');
	// Without the application: loading all of it takes ten seconds of a processor.
	const server = await createServer({
		configFile: false,
		root: folder,
		appType: 'custom',
		logLevel: 'silent',
		server: { port, host: '127.0.0.1' },
		plugins: [
			devMail(
				() => config.value,
				() => new Date()
			)
		]
	});
	await server.listen();
	try {
		const page = address + DEV_MAIL;
		expect(await (await fetch(page)).text()).toContain('None yet.');
		const mail = exampleMails.sign_in_code;
		mailAttempts.publish({ mail, delivery: 'sent' });
		await expectShown(page, mail.code, 'Chrome on Windows, 203.0.113.7');
		expect((await fetch(page, TUNNELLED)).status).toBe(404);
	} finally {
		await server.close();
		rmSync(folder, { recursive: true });
	}
});

const inLongForm = process.env['POSTERN_FULL'] === '1' ? test : () => undefined;
inLongForm('N04 npm run dev shows a code on its page and on the console', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-dev-'));
	const port = await freePort();
	const address = `http://localhost:${port}`;
	const child = spawn(process.execPath, ['dev/dev.ts'], {
		cwd: projectRoot,
		env: {
			...settingsOf({ address, databaseUrl: `file:${join(folder, 'postern.db')}` }),
			HOST: '127.0.0.1',
			PORT: String(port)
		}
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	try {
		await expect.poll(() => output).toContain(`open ${address}${DEV_MAIL} `);
		const response = await fetch(address + SEND, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
			body: JSON.stringify({ email: 'ada@example.com', type: 'sign-in' })
		});
		expect(response.status).toBe(200);
		await expect.poll(() => output).toMatch(/sign-in code for ada@example\.com: \d{6}/);
		const [, code = ''] = /sign-in code for ada@example\.com: (\d{6})/.exec(output) ?? [];
		await expectShown(address + DEV_MAIL, code, 'curl, 127.0.0.1');
		expect((await fetch(address + DEV_MAIL, TUNNELLED)).status).toBe(303);
	} finally {
		const exited = once(child, 'exit');
		child.kill();
		await exited;
		rmSync(folder, { recursive: true, force: true });
	}
});
