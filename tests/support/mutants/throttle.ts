import { and, eq } from 'drizzle-orm';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlThrottle } from '#lib/adapters/sql/limits/throttle.ts';
import type { Email } from '#lib/domain/email.ts';
import type { Throttle } from '#lib/domain/limits/throttle.ts';
import { emailsOf, emailsOfNetwork, type CountKey } from '#lib/domain/limits/count-keys.ts';
import { judgeSend } from '#lib/domain/limits/judge-send.ts';

const PLACES = [
	['sentAt1', 'network1'],
	['sentAt2', 'network2'],
	['sentAt3', 'network3'],
	['sentAt4', 'network4'],
	['sentAt5', 'network5']
] as const;

/** Counts what it reads, then writes one more; and adds wrong guesses up in the program. */
export const naiveThrottle = (sql: Sql): Throttle => {
	const { db, tables, run } = sql;
	const t = tables.authThrottle;
	const rowOf = async (key: string) => {
		const rows = await run(() => db.select().from(t));
		return rows.find((row) => row.key === key);
	};
	const c = tables.siteCount;
	const countOf = async ({ key, since }: CountKey): Promise<number> => {
		const isMeant = and(eq(c.key, key), eq(c.since, since));
		const [row] = await run(() => db.select().from(c).where(isMeant));
		return row?.count ?? 0;
	};
	const writeCount = (key: CountKey, count: number) =>
		run(() =>
			db
				.insert(c)
				.values({ ...key, part: 0, count })
				.onConflictDoUpdate({ target: [c.key, c.since, c.part], set: { count } })
				.returning()
		);
	return {
		...sqlThrottle(sql),
		hit: async (send, policy) => {
			const { email, now, knownAs, network, proof } = send;
			const key = (knownAs ?? email) as Email;
			const row = await rowOf(key);
			const places = PLACES.flatMap(([sentAt, from]) => {
				const at = row?.[sentAt] ?? null;
				return at === null ? [] : [{ at, network: row?.[from] ?? null }];
			});
			const proofs = await run(() => db.select().from(tables.spentProof));
			const used = proofs.some(({ id }) => id === proof?.id);
			const [emails, ofNetwork] = [
				await countOf(emailsOf(now)),
				await countOf(emailsOfNetwork(network, now))
			];
			const state = { places, emails, network: ofNetwork, usedCodes: emails, tickets: 0 };
			const overlapping = proofs.filter((spent) => spent.network === network).length;
			const asked = used ? { ...send, proof: null } : send;
			const verdict = judgeSend(asked, { ...state, overlapping }, policy);
			if (verdict.kind !== 'allowed') return verdict;
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
			await writeCount(emailsOf(now), emails + 1);
			await writeCount(emailsOfNetwork(network, now), ofNetwork + 1);
			if (verdict.spends !== null) {
				const { id, expiresAt } = verdict.spends;
				const spent = { id, network, spentAt: now, expiresAt };
				await run(() =>
					db.insert(tables.spentProof).values(spent).onConflictDoNothing().returning()
				);
			}
			return { kind: 'allowed', failures: row?.failures ?? 0 };
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
