import { expect, test } from 'vitest';
import { CONSENT, DELETE, rowsOf } from '../../support/http/account.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	sendCode,
	signIn
} from '../../support/http/client.ts';
import { runScript } from '../../support/process/run-program.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const DAY = 86_400;
const NAMES = ['account:purge', 'auth:prune-throttle'];

onOneServer(
	(fixture) => {
		/** What a task prints that is run by hand, with the clock that far ahead. */
		const printedBy = async (name: string, ahead: number): Promise<string> => {
			const { code, stderr, stdout } = await runScript(fixture.server, 'task', [name], { ahead });
			expect([code, stderr]).toEqual([0, '']);
			return stdout;
		};
		/** The tables with a row that refers to an email address or an account. */
		const traces = async (...words: readonly string[]): Promise<readonly string[]> => {
			const dump = await fixture.database.dump();
			return Object.entries(dump).flatMap(([table, rows]) =>
				rows.some((row) => words.some((word) => JSON.stringify(row).includes(word))) ? [table] : []
			);
		};

		test('E11 auth:prune-throttle removes the expired rows, and prints how many', async () => {
			const member = await signIn(fixture.server);
			await sendCode(fixture.server, newAddress());
			expect(await printedBy('auth:prune-throttle', 60 * DAY + 1)).toBe(
				'[postern] auth:prune-throttle removed 2 throttle rows, 1 codes, 1 sessions, 0 devices, 0 counts, 0 proofs, 0 email undos, 0 events, 0 oidc records, 0 failed emails\n'
			);
			expect(await rowsOf(fixture, 'user', member.email)).toHaveLength(1);
		});

		test('account:purge leaves no trace of an account in any table 30 days after its deletion', async () => {
			const { email, token } = await signIn(fixture.server, newAddress('leaver'));
			const [user] = await rowsOf(fixture, 'user', email);
			await call(fixture.server, CONSENT, { method: 'POST', headers: bearer(token) });
			await call(fixture.server, DELETE, { json: {}, headers: bearer(token) });
			// Codes requested in the grace period belong to it as well.
			await freshCode(fixture.server, email);
			expect(await traces(email, String(user?.['id']))).toEqual(
				expect.arrayContaining(['user', 'user_data', 'consent_record', 'verification'])
			);
			expect(await printedBy('account:purge', 30 * DAY + 1)).toBe(
				'[postern] account:purge removed 1 accounts\n'
			);
			expect(await traces(email, String(user?.['id']))).toEqual([]);
		});
	},
	{},
	{ alone: true }
);

onOneServer((fixture) => {
	test('a missing, unknown or misspelt task exits with 1 and lists the known ones', async () => {
		const tried = [[], ['toString'], ['Account:Purge']];
		const runs = await Promise.all(tried.map((args) => runScript(fixture.server, 'task', args)));
		for (const [i, run] of runs.entries()) {
			const args = tried[i];
			expect([run.code, run.stdout, args]).toEqual([1, '', args]);
			for (const name of NAMES) expect(run.stderr).toContain(name);
			expect(run.stderr).not.toMatch(/\n\s+at /);
		}
	});

	test('without a configuration, or without its database, a task prints one line and exits with 1', async () => {
		const env = { AUTH_SECRET: 'short' };
		const unset = await runScript(fixture.server, 'task', ['account:purge'], { env });
		expect([unset.code, unset.stdout]).toEqual([1, '']);
		expect(unset.stderr).toMatch(/^\[postern\] AUTH_SECRET\b.*\n$/);
		const away = { ...fixture.server, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' };
		const unreachable = await runScript(away, 'task', ['account:purge']);
		expect([unreachable.code, unreachable.stdout]).toEqual([1, '']);
		expect(unreachable.stderr).toMatch(/^\[postern\] .+\n$/);
		expect(unreachable.stderr).not.toMatch(/\n\s+at /);
	});
});
