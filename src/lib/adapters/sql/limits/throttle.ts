import { and, eq, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { mailboxOf, type Mailbox } from '#lib/domain/limits/mailbox.ts';
import type { Throttle } from '#lib/domain/limits/throttle.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { atMost, bound } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { retryAt } from './retry-at.ts';

/**
 * The key of a row is a text: the mailbox for sends, the email address for wrong guesses, and the
 * id of the account for sends of its known devices. For most email addresses mailbox and address are
 * the same, and one row holds both. An id has no @, so it is no email address.
 */
export const sqlThrottle = ({ db, tables, run, skipLocked }: Sql): Throttle => {
	const t = tables.authThrottle;
	const sentAt = [t.sentAt1, t.sentAt2, t.sentAt3, t.sentAt4, t.sentAt5] as const;
	type SentAt = (typeof sentAt)[number];
	const each = (value: (column: SentAt, place: number) => SQL) => ({
		sentAt1: value(t.sentAt1, 0),
		sentAt2: value(t.sentAt2, 1),
		sentAt3: value(t.sentAt3, 2),
		sentAt4: value(t.sentAt4, 3),
		sentAt5: value(t.sentAt5, 4)
	});
	const any = (columns: readonly SentAt[], is: (column: SentAt) => SQL): SQL =>
		sql`(${sql.join(columns.map(is), sql` or `)})`;

	/**
	 * No counted send: the place is empty, its time is before the window, or a clock was set back.
	 */
	const free = (column: SentAt): SQL =>
		sql`${column} is null or ${column} <= ${bound('since', column)} or ${column} > ${bound('until', column)}`;

	// Frees the oldest free place, and newer sends move up by one place. Usually that is the last
	// place and all move. So a send that counts is never dropped, even when a clock set back has
	// left times out of order.
	const hit = db
		.insert(t)
		.values({ key: sql.placeholder('key'), sentAt1: sql.placeholder('now'), failures: 0 })
		.onConflictDoUpdate({
			target: t.key,
			set: each((column, place) => {
				const newer = sentAt[place - 1];
				return newer === undefined
					? bound('now', column)
					: sql`case when ${any(sentAt.slice(place), free)} then ${newer} else ${column} end`;
			}),
			setWhere: any(sentAt, free)
		})
		.returning({ failures: t.failures })
		.prepare('throttle_hit');

	const sends = db
		.select(Object.fromEntries(sentAt.map((column) => [column.name, column])))
		.from(t)
		.where(eq(t.key, sql.placeholder('key')))
		.prepare('throttle_sends');

	// The older sends move down to fill the first place that holds the time.
	const isIt = (column: SentAt): SQL => sql`${column} = ${bound('at', column)}`;
	const giveBack = db
		.update(t)
		.set(
			each((column, place) => {
				const older = sentAt[place + 1] ?? sql`null`;
				return sql`case when ${any(sentAt.slice(0, place + 1), isIt)} then ${older} else ${column} end`;
			})
		)
		.where(and(eq(t.key, sql.placeholder('key')), any(sentAt, isIt)))
		.returning({ key: t.key })
		.prepare('throttle_give_back');

	const countFailure = db
		.insert(t)
		.values({
			key: sql.placeholder('key'),
			failures: 1,
			failedAt: sql.placeholder('now')
		})
		.onConflictDoUpdate({
			target: t.key,
			set: { failures: sql`${t.failures} + 1`, failedAt: bound('now', t.failedAt) }
		})
		.returning({ key: t.key })
		.prepare('throttle_count_failure');

	const failures = db
		.select({ failures: t.failures })
		.from(t)
		.where(eq(t.key, sql.placeholder('key')))
		.prepare('throttle_failures');
	const sendsKey = (email: Email, knownAs: UserId | null): Mailbox | UserId =>
		knownAs ?? mailboxOf(email);

	return {
		hit: async (email, now, window, knownAs = null) => {
			const key = sendsKey(email, knownAs);
			const since = secondsAfter(now, -window);
			const until = secondsAfter(now, window);
			const [counted] = await run(() => hit.execute({ key, now, since, until }), 'write');
			if (counted !== undefined) {
				// The failures are those of the email address, which may have another row.
				const [own] =
					email === (key as string) ? [counted] : await run(() => failures.execute({ key: email }));
				return { allowed: true, failures: own?.failures ?? 0 };
			}
			const [row] = await run(() => sends.execute({ key }));
			return { allowed: false, retryAt: retryAt(Object.values(row ?? {}), now, window) };
		},

		giveBack: async (email, at, knownAs = null) => {
			await run(() => giveBack.execute({ key: sendsKey(email, knownAs), at }), 'write');
		},

		countFailure: async (email, now) => {
			await run(() => countFailure.execute({ key: email, now }), 'write');
		},

		prune: async (now, window, memory, limit) => {
			const lastSend = secondsAfter(now, -window);
			const noSend = and(...sentAt.map((column) => or(isNull(column), lte(column, lastSend))));
			const noFailure = isNull(t.failedAt);
			// Each condition is one range of the index, however many rows still count. Joined by `or`
			// they would not be.
			const kinds = [
				and(noFailure, isNull(t.sentAt1), noSend),
				and(noFailure, lte(t.sentAt1, lastSend), noSend),
				and(lte(t.failedAt, secondsAfter(now, -memory)), noSend)
			];
			let removed = 0;
			for (const expired of kinds) {
				if (removed === limit) break;
				const rows = await run(() =>
					db
						.delete(t)
						.where(atMost(limit - removed, t.key, expired, skipLocked, [t.failedAt, t.sentAt1]))
						.returning({ key: t.key })
				);
				removed += rows.length;
			}
			return removed;
		}
	};
};
