import { and, eq, gt, sql } from 'drizzle-orm';
import { preparedStep } from '../sql.ts';

/** Locks a challenge until the transaction ends, by an update that changes nothing. */
export const lockChallenge = preparedStep((tx, { verification: t }) =>
	tx
		.update(t)
		.set({ attempts: sql`${t.attempts}` })
		.where(and(eq(t.id, sql.placeholder('id')), eq(t.email, sql.placeholder('email'))))
		.returning({ boundTo: t.boundTo, purpose: t.purpose })
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
			and(eq(t.boundTo, sql.placeholder('boundTo')), eq(t.purpose, sql.placeholder('purpose')))
		)
		.returning({ id: t.id })
);

/** A right code that has no effect costs no attempt. */
export const giveGuessBack = preparedStep((tx, { verification: t }) =>
	tx
		.update(t)
		.set({ attempts: sql`${t.attempts} - 1` })
		.where(and(eq(t.id, sql.placeholder('id')), gt(t.attempts, 0)))
		.returning({ id: t.id })
);
