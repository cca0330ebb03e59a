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
import { runScript, type ProgramRun } from '../../support/process/run-program.ts';
import { onOneServer, type Fixture } from '../../support/http/fixtures.ts';

const DAY = 86_400;
const NAMES = ['account:purge', 'auth:prune-throttle'];

const helpersOf = (fixture: Fixture) => {
	/** Runs a task by hand, with the clock that far ahead. */
	const task = (name: string, ahead = 0): Promise<ProgramRun> =>
		runScript(fixture.server, 'task', [name], { ahead });
	/** Every row in any table that refers to an email address or an account. */
	const traces = async (...words: readonly string[]): Promise<readonly string[]> => {
		const dump = await fixture.database.dump();
		return Object.entries(dump).flatMap(([table, rows]) =>
			rows.some((row) => words.some((word) => JSON.stringify(row).includes(word))) ? [table] : []
		);
	};
	return { task, traces };
};

onOneServer(
	(fixture) => {
		const { task, traces } = helpersOf(fixture);
		const resultOf = (run: ProgramRun): readonly unknown[] => [run.code, run.stderr, run.stdout];
		const pruned = (throttle: number, codes: number, sessions: number): readonly unknown[] => [
			0,
			'',
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

		test('account:purge leaves no trace of an account in any table 30 days after its deletion, and not earlier', async () => {
			const { email, token } = await signIn(fixture.server, newAddress('leaver'));
			const [user] = await rowsOf(fixture, 'user', email);
			await call(fixture.server, CONSENT, { method: 'POST', headers: bearer(token) });
			await call(fixture.server, DELETE, { json: {}, headers: bearer(token) });
			// Codes requested in the grace period belong to it as well.
			await freshCode(fixture.server, email);
			const removed = (accounts: number) =>
				`[postern] account:purge removed ${accounts} accounts\n`;
			expect(resultOf(await task('account:purge', 30 * DAY - 60))).toEqual([0, '', removed(0)]);
			expect(await traces(email, String(user?.['id']))).toEqual(
				expect.arrayContaining(['user', 'user_data', 'consent_record', 'verification'])
			);
			expect(resultOf(await task('account:purge', 30 * DAY + 1))).toEqual([0, '', removed(1)]);
			expect(await traces(email, String(user?.['id']))).toEqual([]);
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
