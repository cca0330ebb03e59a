import { expect, test } from 'vitest';
import { printableJson } from '../../../bin/printable.ts';
import {
	bearer,
	freshCode,
	newAddress,
	signIn,
	verifyCode,
	whoIs
} from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { runScript } from '../../support/http/script.ts';

onOneServer((fixture) => {
	const admin = (...args: readonly string[]) => runScript(fixture.server, 'admin', args);

	test('npm run admin explains itself, and refuses a wrong command with exit code 2', async () => {
		const help = await admin('--help');
		expect([help.code, help.stderr]).toEqual([0, '']);
		expect(help.stdout).toContain('change-email ACCOUNT NEW_EMAIL --reason TEXT');
		expect((await admin('block', '--help')).stdout).toMatch(/^block ACCOUNT: /);
		const before = '2026-01-01.x';
		for (const wrong of [
			...[[], ['bloc', 'x'], ['show'], ['show', 'a', 'b'], ['show', 'a', '--foo']],
			...[
				['events', 'a', '--before', before],
				['change-email', 'a', 'b'],
				['accounts', '--limit=x']
			]
		]) {
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
		const asking = await admin('block', email);
		expect([asking.code, asking.stderr]).toEqual([1, expect.stringContaining('--yes')]);
		const blocked = await admin('block', email, '--yes', '--json');
		expect([blocked.code, JSON.parse(blocked.stdout)]).toEqual([
			0,
			{ email, done: 'block', endedSessions: 1 }
		]);
		await expect.poll(() => whoIs(server, bearer(token)), { timeout: 5000 }).toBeNull();
		const refused = await verifyCode(server, email, await freshCode(server, email));
		expect([refused.status, refused.json()]).toMatchObject([403, { code: 'ACCOUNT_BLOCKED' }]);
		const again = await admin('block', email, '--yes');
		expect([again.code, again.stderr]).toEqual([1, '[postern] the account already is blocked\n']);
		expect((await admin('events', email, '--json')).stdout).toContain('"opened"');
		const shown = await admin('show', email);
		expect(shown.stdout).toMatch(new RegExp(`email: ${email}`));
		expect((await admin('unblock', email)).code).toBe(0);
		const nobody = await admin('show', newAddress());
		expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('no account')]);
	});
});
