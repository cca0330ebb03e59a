import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlThrottle } from '#lib/adapters/sql/limits/throttle.ts';
import type { Email } from '#lib/domain/email.ts';
import type { Throttle } from '#lib/domain/limits/throttle.ts';
import { secondsAfter } from '#lib/domain/time.ts';

/** Counts what it reads, then writes one more; and adds wrong guesses up in the program. */
export const naiveThrottle = (sql: Sql): Throttle => {
	const { db, tables, run } = sql;
	const t = tables.authThrottle;
	const rowOf = async (key: string) => {
		const rows = await run(() => db.select().from(t));
		return rows.find((row) => row.key === key);
	};
	return {
		...sqlThrottle(sql),
		hit: async (email, now, window, knownAs) => {
			const key = (knownAs ?? email) as Email;
			const row = await rowOf(key);
			const oldest = row?.sentAt5 ?? null;
			if (oldest !== null && oldest > secondsAfter(now, -window)) {
				return { allowed: false, retryAt: secondsAfter(oldest, window) };
			}
			const shifted = {
				sentAt1: now,
				sentAt2: row?.sentAt1 ?? null,
				sentAt3: row?.sentAt2 ?? null,
				sentAt4: row?.sentAt3 ?? null,
				sentAt5: row?.sentAt4 ?? null
			};
			await run(() =>
				db
					.insert(t)
					.values({ key, ...shifted })
					.onConflictDoUpdate({ target: t.key, set: shifted })
					.returning()
			);
			return { allowed: true, failures: row?.failures ?? 0 };
		},
		countFailure: async (email, now) => {
			const failures = ((await rowOf(email))?.failures ?? 0) + 1;
			const failed = { failures, failedAt: now };
			await run(() =>
				db
					.insert(t)
					.values({ key: email, ...failed })
					.onConflictDoUpdate({ target: t.key, set: failed })
					.returning()
			);
		}
	};
};
