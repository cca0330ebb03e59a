import {
	and,
	desc,
	eq,
	exists,
	getTableColumns,
	gt,
	isNotNull,
	isNull,
	lte,
	sql
} from 'drizzle-orm';
import type { Challenge, Challenges } from '#lib/domain/sign-in/ports.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { asColumn, encodedPlaceholder, deleteSome, excluded, placeholdersFor } from '../rows.ts';
import { preparedStep, type Sql, type Tables, type Transaction } from '../sql.ts';

type Row = Tables['verification']['$inferSelect'];

export const toRow = (challenge: Challenge): Challenge & Pick<Row, 'binding'> => ({
	...challenge,
	binding: challenge.boundTo ?? ''
});

export const toChallenge = (row: Row | undefined): Challenge | null => {
	if (row === undefined) return null;
	const { binding, ...challenge } = row;
	return { ...challenge, boundTo: binding || null };
};

export const sqlChallenges = (database: Sql): Challenges => {
	const { db, tables, run, transaction } = database;
	const t = tables.verification;
	// A new challenge replaces all others in the row of its purpose, email address and binding. The id
	// too, so that a redemption of the earlier challenge finds no row.
	const { requestedBy: _, bouncedAt, purpose, email, binding, ...replaced } = getTableColumns(t);

	const issueStatement = (tx: Pick<Transaction, 'insert'>) =>
		tx
			.insert(t)
			.values(placeholdersFor({ purpose, email, binding, ...replaced }))
			.onConflictDoUpdate({
				target: [t.purpose, t.email, t.binding],
				set: Object.fromEntries(
					Object.entries({ ...replaced, bouncedAt }).map(([name, column]) => [
						name,
						excluded(column)
					])
				),
				setWhere: sql`${t.createdAt} <= ${excluded(t.createdAt)} or ${t.createdAt} > ${encodedPlaceholder('now', t.createdAt)}`
			})
			.returning({ id: t.id });
	const issue = issueStatement(db).prepare('challenge_issue');
	const issueStep = preparedStep(issueStatement);

	const live = sql`${t.attemptsUsed} < ${sql.placeholder('attempts')} and ${t.expiresAt} > ${encodedPlaceholder('now', t.expiresAt)}`;
	const target = db
		.select({ id: t.id })
		.from(t)
		.where(
			and(
				eq(t.purpose, asColumn('purpose', t.purpose)),
				eq(t.email, asColumn('email', t.email)),
				sql`${t.binding} in (${asColumn('binding', t.binding)}, '')`
			)
		)
		.orderBy(
			sql`case when ${live} then 0 else 1 end`,
			sql`case when ${t.binding} = '' then 1 else 0 end`
		)
		.getSQL();
	// The chosen row can change before the update locks it. The database then checks the condition again
	// on the current row. So the count stays exact, and a replaced or redeemed id matches nothing.
	const countAttempt = db
		.update(t)
		.set({ attemptsUsed: sql`${t.attemptsUsed} + 1` })
		// The builder's `limit` would be a bound value, and SQLite plans again for each value bound
		// to a limit.
		.where(
			and(eq(t.id, sql`(${target} limit 1)`), lte(t.attemptsUsed, sql.placeholder('attempts')))
		)
		.returning()
		.prepare('challenge_count_attempt');

	const latestOf = db
		.select()
		.from(t)
		.where(
			and(eq(t.binding, sql.placeholder('binding')), eq(t.purpose, sql.placeholder('purpose')))
		)
		.orderBy(desc(t.createdAt), desc(t.id))
		.limit(1)
		.prepare('challenge_latest_of');

	return {
		issue: async (challenge, now, mails = []) => {
			const values = { ...toRow(challenge), now };
			if (mails.length === 0) {
				await run(() => issue.execute(values), 'write');
				return;
			}
			await transaction(function* (tx) {
				const issued = yield* issueStep(tx, values);
				if (issued.length > 0) yield* addMails(tx, mails);
			});
		},

		countAttempt: async ({ purpose, email, boundTo }, now, policy) => {
			const { attempts } = policy.code;
			const attempt = { purpose, email, binding: boundTo ?? '', now, attempts };
			const [row] = await run(() => countAttempt.execute(attempt), 'write');
			return toChallenge(row);
		},

		markBounced: async (id, now) => {
			await run(() => db.update(t).set({ bouncedAt: now }).where(eq(t.id, id)));
		},

		giveBackIfBlocked: (id) =>
			transaction(function* (tx) {
				return (yield* giveBackIfBlocked(tx, { id })).length > 0;
			}),

		latestOf: async (binding, purpose) => {
			const [row] = await run(() => latestOf.execute({ binding, purpose }));
			return toChallenge(row);
		},

		prune: (now, limit) => deleteSome(database, limit, t.id, lte(t.expiresAt, now), [t.expiresAt])
	};
};

/** Locks a challenge until the transaction ends, by an update that changes nothing. */
export const lockChallenge = preparedStep((tx, { verification: t }) =>
	tx
		.update(t)
		.set({ attemptsUsed: sql`${t.attemptsUsed}` })
		.where(and(eq(t.id, sql.placeholder('id')), eq(t.email, sql.placeholder('email'))))
		.returning({ binding: t.binding, purpose: t.purpose })
);

export const deleteChallenge = preparedStep((tx, { verification: t }) =>
	tx.delete(t).where(eq(t.id, sql.placeholder('id')))
);

export const deleteOtherChallenges = preparedStep((tx, { verification: t }) =>
	tx
		.delete(t)
		.where(
			and(eq(t.binding, sql.placeholder('binding')), eq(t.purpose, sql.placeholder('purpose')))
		)
);

/** A right code that has no effect costs no attempt. */
export const giveAttemptBack = preparedStep((tx, { verification: t }) =>
	tx
		.update(t)
		.set({ attemptsUsed: sql`${t.attemptsUsed} - 1` })
		.where(and(eq(t.id, sql.placeholder('id')), gt(t.attemptsUsed, 0)))
);

/** A right code of a blocked account costs no attempt. Of any other account it changes nothing. */
export const giveBackIfBlocked = preparedStep((tx, { verification: t, user }) => {
	const isBlocked = and(isNotNull(user.blockedAt), isNull(user.deletedAt));
	return tx
		.update(t)
		.set({ attemptsUsed: sql`${t.attemptsUsed} - 1` })
		.where(
			and(
				eq(t.id, sql.placeholder('id')),
				gt(t.attemptsUsed, 0),
				exists(
					tx
						.select({ id: user.id })
						.from(user)
						.where(and(eq(user.email, t.email), isBlocked))
				)
			)
		)
		.returning({ id: t.id });
});
