import { expect, test } from 'vitest';
import { rowsOf } from '../../support/http/account.ts';
import { newAddress, sendCode, signIn } from '../../support/http/client.ts';
import { runScript, type ProgramRun } from '../../support/process/run-program.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const DAY = 86_400;
const NAMES = ['account:purge', 'auth:prune-throttle'];

onOneServer(
	(fixture) => {
		/** Runs a task by hand, with the clock that far ahead. */
		const task = (name: string, ahead: number): Promise<ProgramRun> =>
			runScript(fixture.server, 'task', [name], { ahead });
		const resultOf = (run: ProgramRun): readonly unknown[] => [run.code, run.stderr, run.stdout];
		const pruned = (throttle: number, codes: number, sessions: number): readonly unknown[] => [
			...[0, ''],
			`[postern] auth:prune-throttle removed ${throttle} throttle rows, ${codes} codes, ${sessions} sessions, 0 devices, 0 counts, 0 proofs, 0 email undos, 0 oidc records, 0 failed emails\n`
		];

		test('E11 auth:prune-throttle removes exactly the expired rows, prints how many, and removes nothing the second time', async () => {
			const member = await signIn(fixture.server);
			await sendCode(fixture.server, newAddress());
			// The code lives for ten minutes, send counts for fifteen, the session for sixty days.
			expect(resultOf(await task('auth:prune-throttle', 601))).toEqual(pruned(0, 1, 0));
			expect(resultOf(await task('auth:prune-throttle', 60 * DAY + 1))).toEqual(pruned(2, 0, 1));
			expect(resultOf(await task('auth:prune-throttle', 60 * DAY + 1))).toEqual(pruned(0, 0, 0));
			expect(await rowsOf(fixture, 'user', member.email)).toHaveLength(1);
		});
	},
	{},
	{ alone: true }
);

onOneServer((fixture) => {
	test('an unknown, missing or misspelt task exits with 1 and lists the known ones', async () => {
		const tried = [['no-such-task'], [], ['toString'], ['Account:Purge']];
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
