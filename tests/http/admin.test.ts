import { expect, test } from 'vitest';
import { printableJson } from '../../bin/printable.ts';
import {
	bearer,
	freshCode,
	newAddress,
	rounds,
	signIn,
	verifyCode,
	whoIs
} from '../support/http/client.ts';
import { onOneServer } from '../support/http/fixtures.ts';
import { runScript } from '../support/process/run-program.ts';

onOneServer((fixture) => {
	const admin = (...args: readonly string[]) => runScript(fixture.server, 'admin', args);

	test('npm run admin explains itself, and refuses a wrong command with exit code 2', async () => {
		const help = await admin('--help');
		expect([help.code, help.stderr]).toEqual([0, '']);
		expect(help.stdout).toContain('change-email ACCOUNT NEW_EMAIL --reason TEXT');
		const all = [
			...[['show', 'a', 'b'], ['accounts', '--limit=x'], [], ['bloc', 'x'], ['show']],
			...[
				['show', 'a', '--foo'],
				['events', 'a', '--before', '2026-01-01.x'],
				['change-email', 'a', 'b']
			]
		];
		for (const wrong of all.slice(0, rounds(2, all.length))) {
			const run = await admin(...wrong);
			expect([wrong, run.code, run.stdout]).toEqual([wrong, 2, '']);
		}
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

	test('it registers an application that signs people in here', async () => {
		const { code, stdout } = await admin(
			...['oidc', 'clients', 'add', 'Wiki', '--redirect', 'https://wiki.example.org/callback']
		);
		expect(code).toBe(0);
		expect(stdout).toMatch(/issuer: \S+\/oidc\n.*client id: \S+\n.*shown only now: \S+\n/);
	});
});
