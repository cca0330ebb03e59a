import { and, eq, sql } from 'drizzle-orm';
import { sessionColumns } from '../rows.ts';
import { preparedStep } from '../sql.ts';

/** Locks a challenge until the transaction ends, by an update that changes nothing. */
export const lockChallenge = preparedStep((tx, { verification: t }) =>
	tx
		.update(t)
		.set({ attempts: sql`${t.attempts}` })
		.where(and(eq(t.id, sql.placeholder('id')), eq(t.email, sql.placeholder('email'))))
		.returning({ binding: t.binding, purpose: t.purpose })
);

export const deleteChallenge = preparedStep((tx, { verification: t }) =>
	tx
		.delete(t)
		.where(eq(t.id, sql.placeholder('id')))
		.returning({ id: t.id })
);

/** The other challenges of the same browser and purpose. */
export const deleteOtherChallenges = preparedStep((tx, { verification: t }) =>
	tx
		.delete(t)
		.where(
			and(eq(t.binding, sql.placeholder('binding')), eq(t.purpose, sql.placeholder('purpose')))
		)
		.returning({ id: t.id })
);

export const openSession = preparedStep((tx, tables) =>
	tx
		.insert(tables.session)
		.values({
			id: sql.placeholder('id'),
			tokenHash: sql.placeholder('tokenHash'),
			userId: sql.placeholder('userId'),
			expiresAt: sql.placeholder('expiresAt'),
			createdAt: sql.placeholder('createdAt'),
			updatedAt: sql.placeholder('createdAt'),
			ipAddress: sql.placeholder('ipAddress'),
			userAgent: sql.placeholder('userAgent')
		})
		.returning(sessionColumns(tables))
);

export const forgetFailures = preparedStep((tx, { authThrottle: t }) =>
	tx
		.update(t)
		.set({ failures: 0, failedAt: null })
		.where(eq(t.key, sql.placeholder('email')))
		.returning({ key: t.key })
);
