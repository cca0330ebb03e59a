import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { DeviceId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import { asId } from '../rows.ts';
import { preparedStep, rowsOf, type Tables, type Transaction, type Work } from '../sql.ts';

interface Replaced extends Pick<Session, 'id' | 'userId' | 'expiresAt'> {
	readonly deviceId: DeviceId | null;
}

/** Ends the session that is stored under one of the hashes, if there is one. */
export function* endReplaced(
	tx: Transaction,
	{ session }: Tables,
	hashes: readonly SecretHash[]
): Work<readonly Replaced[]> {
	if (hashes.length === 0) return [];
	const { id, userId, expiresAt, deviceId } = session;
	return yield* rowsOf(
		tx
			.delete(session)
			.where(inArray(session.tokenHash, [...hashes]))
			.returning({ id, userId, expiresAt, deviceId })
	);
}

/** Ends the sessions of a locked account with the earliest last refresh, so that `stay` remain. */
export const endUnused = preparedStep((tx, { session: t }) => {
	const isOfAccount = eq(t.userId, asId('userId', t.userId));
	const staying = tx
		.select({ id: t.id })
		.from(t)
		.where(isOfAccount)
		.orderBy(desc(t.updatedAt), desc(t.id))
		.limit(sql.placeholder('stay'));
	return tx
		.delete(t)
		.where(and(isOfAccount, notInArray(t.id, staying)))
		.returning({ id: t.id });
});
