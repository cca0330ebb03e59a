import { and, eq, inArray, lte } from 'drizzle-orm';
import { sqlOutboxRows } from '#lib/adapters/sql/delivery/outbox-rows.ts';
import { sqlSpentProofs } from '#lib/adapters/sql/limits/spent-proofs.ts';
import { sqlThrottle } from '#lib/adapters/sql/limits/throttle.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { hourLimits, sendsOfHour, sendsOfNetwork } from '#lib/domain/limits/counts.ts';
import type { CountKey, Throttle } from '#lib/domain/limits/ports.ts';
import type { OutboxRows } from '#lib/domain/delivery/ports.ts';
import type { SpentProofs } from '#lib/domain/proof/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';

/** Counts what it reads, then writes one more; and adds wrong codes up in the program. */
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
				.values({ ...key, count })
				.onConflictDoUpdate({ target: [c.key, c.since], set: { count } })
		);
	return {
		...sqlThrottle(sql),
		countSend: async ({ requestedAt: now, chargedKey: key, isKnown, network }, policy) => {
			const row = await rowOf(key);
			const last = row?.sentAt5 ?? null;
			const { window } = policy.throttle;
			if (last !== null && last > secondsAfter(now, -window) && last <= secondsAfter(now, window)) {
				return { kind: 'full', retryAt: secondsAfter(last, window) };
			}
			const limits = hourLimits(policy.budget);
			const emails = await countOf(sendsOfHour(now));
			const ofNetwork = await countOf(sendsOfNetwork(network, now));
			if (limits !== null) {
				if (ofNetwork >= limits.network) return { kind: 'network_full' };
				if (emails >= (isKnown ? limits.all : limits.unknown)) return { kind: 'over_budget' };
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
			);
			if (limits !== null) {
				await writeCount(sendsOfHour(now), emails + 1);
				await writeCount(sendsOfNetwork(network, now), ofNetwork + 1);
			}
			return { kind: 'allowed', wrongCodes: row?.wrongCodes ?? 0, emails: emails + 1 };
		},
		countWrongCode: async (email, now) => {
			const wrongCodes = ((await rowOf(email))?.wrongCodes ?? 0) + 1;
			const counted = { wrongCodes, wrongCodeAt: now };
			await run(() =>
				db
					.insert(t)
					.values({ key: email, ...counted })
					.onConflictDoUpdate({ target: t.key, set: counted })
			);
		}
	};
};

/** Looks a proof up, then records its use. */
export const naiveSpentProofs = (sql: Sql): SpentProofs => {
	const { db, tables, run } = sql;
	return {
		...sqlSpentProofs(sql),
		spend: async (proof) => {
			const proofs = await run(() => db.select().from(tables.spentProof));
			if (proofs.some(({ id }) => id === proof.id)) return false;
			const { id, expiresAt } = proof;
			await run(() => db.insert(tables.spentProof).values({ id, expiresAt }).onConflictDoNothing());
			return true;
		}
	};
};

/** Reads which rows are due, then leases them without a second look. */
export const naiveOutboxRows = (sql: Sql): OutboxRows => {
	const { db, tables, run } = sql;
	const t = tables.emailOutbox;
	return {
		...sqlOutboxRows(sql),
		lease: async (lane, now, until, limit) => {
			const isDue = and(eq(t.lane, lane), lte(t.dueAt, now));
			const due = await run(() => db.select().from(t).where(isDue).limit(limit));
			const ids = due.map(({ id }) => id);
			const leased = await run(() =>
				db.update(t).set({ dueAt: until, attempts: 1 }).where(inArray(t.id, ids)).returning()
			);
			return leased.map((row) => ({ ...row, attempt: row.attempts, until }));
		}
	};
};
