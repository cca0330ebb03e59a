// One instance of several on one database, as a process of its own. It opens the database (which
// migrates it), says so, waits for its standard input to end, and then does everything at once.
import { once } from 'node:events';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { challengeState } from '#lib/domain/challenge.ts';
import type { Email } from '#lib/domain/email.ts';
import { defaultPolicy as policy } from '#lib/domain/policy.ts';

export interface RacerResult {
	readonly compared: number;
	readonly sent: number;
	readonly faults: readonly string[];
}

const [url = '', email = '', instant = ''] = process.argv.slice(2);
const now = new Date(instant);
const sql = await (url.startsWith('file:') ? openSqlite(url) : openPostgres(url));
const { challenges, throttle } = sqlStores(sql);
process.stdout.write('ready\n');
await once(process.stdin.resume(), 'end');

const guess = { purpose: 'sign_in', email: email as Email, boundTo: null } as const;
const faults: string[] = [];
const times = async (count: number, once: () => Promise<boolean>): Promise<number> => {
	const outcomes = await Promise.all(
		Array.from({ length: count }, () =>
			once().catch((error: unknown) => {
				faults.push(String(error));
				return false;
			})
		)
	);
	return outcomes.filter(Boolean).length;
};
const [compared, sent] = await Promise.all([
	times(50, async () => {
		const counted = await challenges.countAttempt(guess, now, policy);
		return counted !== null && challengeState(counted, now, policy) === 'open';
	}),
	times(25, async () => (await throttle.hit(guess.email, now, policy.throttle.window)).allowed)
]);
const result: RacerResult = { compared, sent, faults };
process.stdout.write(JSON.stringify(result));
await sql.close();
