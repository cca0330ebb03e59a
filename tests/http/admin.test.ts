import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programFile } from '../../bin/lib/ensure-build.ts';
import { printableJson } from '../../bin/lib/printable.ts';
import {
	bearer,
	freshCode,
	inBatches,
	newAddress,
	rounds,
	signIn,
	verifyCode,
	whoIs
} from '../support/http/client.ts';
import { onOneServer, present } from '../support/http/fixtures.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';
import { settingsOf } from '../support/process/built-server.ts';
import { runProgram, runScript } from '../support/process/run-program.ts';

onOneServer((fixture) => {
	const admin = (...args: readonly string[]) => runScript(fixture.server, 'admin', args);

	test('npm run admin explains itself, and refuses a wrong command with exit code 2', async () => {
		const help = await admin('--help');
		expect([help.code, help.stderr]).toEqual([0, '']);
		expect(help.stdout).toContain('change-email ACCOUNT NEW_EMAIL --reason TEXT');
		const all = [
			[['bloc', 'x'], 'there is no verb "bloc": see --help'],
			[['show'], 'ACCOUNT is missing: show ACCOUNT'],
			[['oidc', 'clients', 'ad'], 'there is no verb "oidc clients ad": see --help'],
			[['show', 'a', 'b'], '"b" is too much: show ACCOUNT'],
			[['show', 'a', '--foo'], /^Unknown option '--foo'/],
			[['show', 'a', '--yes=no'], "Option '--yes' does not take an argument"],
			[['accounts', '--limit'], "Option '--limit <value>' argument missing"],
			[['accounts', '--limit', '--json'], "Option '--limit' argument is ambiguous."],
			[['accounts', '--limit=x'], /^--limit cannot be "x": accounts \[PREFIX\]/],
			[['events', 'a', '--before', '1\n2'], /^--before cannot be "1\\n2": events ACCOUNT/],
			[['change-email', 'a', '--reason', 'x'], /^NEW_EMAIL is missing: change-email ACCOUNT/],
			[['change-email', 'a', 'b'], /^--reason is missing: change-email ACCOUNT/],
			[['change-email', 'a', 'b', '--reason='], /^--reason cannot be "": change-email ACCOUNT/],
			[['oidc', 'clients', 'add', 'Wiki'], 'name at least one --redirect'],
			[[], 'there is no verb "": see --help']
		] as const;
		const tried = all.slice(0, rounds(3, all.length));
		const runs = await inBatches(tried, 4, ([wrong]) => admin(...wrong));
		for (const [at, { code, stdout, stderr }] of runs.entries()) {
			const [wrong, line] = present(tried[at]);
			expect([wrong, code, stdout]).toEqual([wrong, 2, '']);
			expect(stderr).toMatch(/^\[postern\] .+\n$/);
			expect(stderr.slice('[postern] '.length, -1)).toEqual(
				typeof line === 'string' ? line : expect.stringMatching(line)
			);
		}
	});

	test('its JSON is all that a program reads, with the emails of the console beside it', async () => {
		const { server } = fixture;
		const { email } = await signIn(server);
		const to = newAddress();
		const reason = ['--reason', 'by phone', '--yes', '--json'];
		const asked = await admin('change-email', email, to, ...reason);
		expect([asked.code, asked.stdout]).toEqual([1, '']);
		expect(asked.stderr).toMatch(new RegExp(`for ${to}: .*\\d{6}`));
		const { code, stdout } = await admin('delete', email, '--yes', '--json');
		expect([code, JSON.parse(stdout)]).toEqual([0, { email, done: 'delete', endedSessions: 1 }]);

		// A folder whose build is older than its sources.
		const cwd = mkdtempSync(join(tmpdir(), 'postern-admin-'));
		mkdirSync(join(cwd, 'build', 'server'), { recursive: true });
		for (const file of [programFile('admin'), 'vite.config.ts']) writeFileSync(join(cwd, file), '');
		const args = [join(projectRoot, 'bin', 'postern.js'), 'admin', 'accounts', email, '--json'];
		const run = await runProgram(args, { cwd, env: settingsOf(server) });
		expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { accounts: [{ email }] }]);
		expect(run.stderr).toContain('older than its sources');
		rmSync(cwd, { recursive: true });
	});

	test('its JSON cannot move the cursor or reverse a line', () => {
		const text = '\u009b31m \u202e \u{e0001}';
		const json = printableJson([text]);
		expect(json).toMatch(/^\[\n {2}"[ -~]+"\n\]$/);
		expect(JSON.parse(json)).toEqual([text]);
	});

	test('it acts on the account of a running server, and says one line if it did not', async () => {
		const { server } = fixture;
		const { email, token } = await signIn(server);
		const blocked = await admin('block', email, '--yes', '--json');
		expect([blocked.code, JSON.parse(blocked.stdout)]).toEqual([
			0,
			{ email, done: 'block', endedSessions: 1 }
		]);
		await expect.poll(() => whoIs(server, bearer(token)), { timeout: 5000 }).toBeNull();
		const refused = await verifyCode(server, email, await freshCode(server, email));
		expect([refused.status, refused.json()]).toMatchObject([403, { code: 'ACCOUNT_BLOCKED' }]);
		const [again, asking, events, shown, nobody] = await Promise.all([
			admin('block', email, '--yes'),
			admin('delete', email),
			admin('events', email, '--json'),
			admin('show', email),
			admin('show', newAddress())
		]);
		expect([again.code, again.stderr]).toEqual([1, '[postern] the account already is blocked\n']);
		expect([asking.code, asking.stderr]).toEqual([1, expect.stringContaining('--yes')]);
		expect(events.stdout).toContain('"opened"');
		expect(shown.stdout).toMatch(new RegExp(`email: ${email}`));
		expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('no account')]);
	});

	test('it registers an application that signs people in here, and refuses one that cannot', async () => {
		const add = (...args: readonly string[]) => admin('oidc', 'clients', 'add', ...args);
		const native = ['--public', '--redirect', 'http://127.0.0.1/callback'];
		const [refused, added] = await Promise.all([
			add('Tool', ...native, '--redirect', 'https://localhost/callback'),
			add('Wiki', '--redirect', 'https://wiki.example.org/callback')
		]);
		expect([refused.code, refused.stdout, refused.stderr]).toEqual([
			2,
			'',
			'[postern] "https://localhost/callback" is https, and a program on a device listens by http\n'
		]);
		expect(added.code).toBe(0);
		expect(added.stdout).toMatch(/issuer: \S+\/oidc\n.*client id: \S+\n.*shown only now: \S+\n/);

		const id = /client id: (\S+)/.exec(added.stdout)?.[1] ?? '';
		const [asking, listed] = await Promise.all([
			admin('oidc', 'clients', 'remove', id),
			admin('oidc', 'clients', 'list', '--json')
		]);
		expect([asking.code, asking.stderr]).toEqual([1, expect.stringContaining('--yes')]);
		expect(JSON.parse(listed.stdout)).toMatchObject([{ id, name: 'Wiki', isPublic: false }]);
		const removed = await admin('oidc', 'clients', 'remove', id, '--yes');
		expect([removed.code, removed.stdout]).toEqual([
			0,
			'[postern] removed, with everything that it was given\n'
		]);
	});
});
