import { expect, test } from 'vitest';
import { CONSENT, DELETE, rowsOf, userOf } from '../../support/http/account.ts';
import {
	API,
	bearer,
	call,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	VERIFY
} from '../../support/http/client.ts';
import { runScript, type ScriptRun } from '../../support/http/script.ts';
import {
	onBothDatabases,
	onBothInLongForm,
	onOneServer,
	type Fixture
} from '../../support/http/fixtures.ts';

const DAY = 86_400;
const NAMES = ['account:purge', 'auth:prune-throttle'];

const helpersOf = (fixture: Fixture) => {
	/** Runs a task by hand, with the clock that far ahead. */
	const task = (name: string, ahead = 0): Promise<ScriptRun> =>
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

onBothInLongForm(
	(fixture) => {
		const { task, traces } = helpersOf(fixture);
		const resultOf = (run: ScriptRun): readonly unknown[] => [run.code, run.stderr, run.stdout];
		const pruned = (throttle: number, codes: number, sessions: number): readonly unknown[] => [
			...[0, ''],
			`[postern] auth:prune-throttle removed ${throttle} throttle rows, ${codes} codes, ${sessions} sessions, 0 devices, 0 counts, 0 proofs, 0 email undos, 0 failed emails\n`
		];
		const purged = (accounts: number): readonly unknown[] => [
			...[0, ''],
			`[postern] account:purge removed ${accounts} accounts\n`
		];
		const remove = async (token: string): Promise<void> => {
			const answer = await call(fixture.server, DELETE, { json: {}, headers: bearer(token) });
			expect(answer.status).toBe(200);
		};
		const buy = (email: string) =>
			fixture.database.rows(
				`insert into purchase (id, email, user_id, reference, product, status, created_at)
			select '${crypto.randomUUID()}', email, id, 'reference of ${email}', 'x', 'paid', created_at
			from "user" where email = '${email}'`
			);

		test('E11 auth:prune-throttle removes exactly the expired rows, prints how many, and removes nothing the second time', async () => {
			expect(resultOf(await task('auth:prune-throttle'))).toEqual(pruned(0, 0, 0));
			const member = await signIn(fixture.server);
			const waiting = newAddress();
			await sendCode(fixture.server, waiting);
			// The code lives for ten minutes, send counts for fifteen, the session for sixty days.
			expect(resultOf(await task('auth:prune-throttle', 601))).toEqual(pruned(0, 1, 0));
			expect(await rowsOf(fixture, 'verification', waiting)).toEqual([]);
			expect(await rowsOf(fixture, 'session', member.email)).toHaveLength(1);
			expect(resultOf(await task('auth:prune-throttle', 60 * DAY + 1))).toEqual(pruned(2, 0, 1));
			expect(resultOf(await task('auth:prune-throttle', 60 * DAY + 1))).toEqual(pruned(0, 0, 0));
			// The task does not touch the account.
			expect(await rowsOf(fixture, 'user', member.email)).toHaveLength(1);
		});

		test('account:purge removes an account 30 days after its deletion with all its data, and no data of other accounts', async () => {
			const [leaver, stayer, returner] = [
				await signIn(fixture.server, newAddress('leaver')),
				await signIn(fixture.server, newAddress('stayer')),
				await signIn(fixture.server, newAddress('returner'))
			];
			for (const { email, token } of [leaver, stayer, returner]) {
				await buy(email);
				await call(fixture.server, CONSENT, { method: 'POST', headers: bearer(token) });
			}
			const [id, stayerId, returnerId] = await Promise.all(
				[leaver, stayer, returner].map(async ({ email }) =>
					String((await userOf(fixture, email))['id'])
				)
			);
			await remove(leaver.token);
			await remove(returner.token);
			// Codes requested in the grace period belong to it as well.
			await freshCode(fixture.server, leaver.email);
			const code = await freshCode(fixture.server, returner.email);
			const json = { email: returner.email, otp: code, restore: true };
			expect((await call(fixture.server, VERIFY, { json })).status).toBe(200);
			await call(fixture.server, `${API}/email-otp/request-email-change`, {
				json: { newEmail: newAddress('target') },
				headers: bearer(stayer.token)
			});

			expect(resultOf(await task('account:purge', 30 * DAY - 60))).toEqual(purged(0));
			expect(await rowsOf(fixture, 'user', leaver.email)).toHaveLength(1);
			expect(await traces(leaver.email, `${id}`)).toEqual(
				expect.arrayContaining(['user', 'user_data', 'purchase', 'verification', 'auth_throttle'])
			);
			const others = async (): Promise<readonly unknown[]> =>
				Promise.all(
					(
						['user', 'user_data', 'session', 'purchase', 'verification', 'auth_throttle'] as const
					).map(async (table) => [
						...(await rowsOf(fixture, table, stayer.email)),
						...(await rowsOf(fixture, table, returner.email))
					])
				);
			const before = await others();
			expect(resultOf(await task('account:purge', 30 * DAY + 1))).toEqual(purged(1));
			expect(await traces(leaver.email, `${id}`)).toEqual([]);
			expect(await others()).toEqual(before);
			expect([
				(await userOf(fixture, stayer.email))['id'],
				(await userOf(fixture, returner.email))['id']
			]).toEqual([stayerId, returnerId]);
			// Nothing is left to remove, and a restored account is never purged, however late it is.
			expect(resultOf(await task('account:purge', 400 * DAY))).toEqual(purged(0));

			const again = await signIn(fixture.server, leaver.email);
			const fresh = await userOf(fixture, again.email);
			expect([fresh['id'] === id, fresh['name'], fresh['deleted_at']]).toEqual([false, '', null]);
			const [data] = await rowsOf(fixture, 'user_data', again.email);
			expect(Boolean(data?.['marketing_opt_in'])).toBe(false);
			expect(await rowsOf(fixture, 'purchase', again.email)).toEqual([]);
			await fixture.server.mailFor('welcome mail', again.email, 2);
		});
	},
	{ alone: true }
);

onBothDatabases((fixture) => {
	const { task, traces } = helpersOf(fixture);

	test('account:purge run twice concurrently removes every account once, over more than one batch', async () => {
		const long = fixture.engine === 'SQLite' ? '0' : "'2001-01-01T00:00:00Z'";
		for (let from = 0; from < 120; from += 40) {
			const rows = Array.from({ length: 40 }, (_, i) => {
				const email = `purged-twice-${from + i}@example.com`;
				return `('${crypto.randomUUID()}', '${email}', true, ${long}, ${long}, ${long})`;
			});
			await fixture.database.rows(
				`insert into "user" (id, email, email_verified, created_at, updated_at, deleted_at) values ${rows.join()}`
			);
		}
		const runs = await Promise.all([task('account:purge'), task('account:purge')]);
		const counts = runs.map(({ code, stderr, stdout }) => {
			expect([code, stderr]).toEqual([0, '']);
			return Number(/^\[postern\] account:purge removed (\d+) accounts\n$/.exec(stdout)?.[1]);
		});
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120);
		expect(await traces('purged-twice-')).toEqual([]);
	});
});

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
