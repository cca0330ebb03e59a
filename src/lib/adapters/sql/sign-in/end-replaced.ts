import { inArray } from 'drizzle-orm';
import type { DeviceId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Session } from '#lib/domain/sessions/session.ts';
import { rowsOf, type Tables, type Transaction, type Work } from '../sql.ts';

interface Replaced extends Pick<Session, 'id' | 'userId' | 'expiresAt'> {
	readonly deviceId: DeviceId | null;
}

/** Ends the session that is stored under one of the hashes, if there is one. */
export function* endReplaced(
	tx: Transaction,
	{ session }: Tables,
	hashes: readonly SecretHash[]
): Work<Replaced | null> {
	if (hashes.length === 0) return null;
	const { id, userId, expiresAt, deviceId } = session;
	const [ended] = yield* rowsOf(
		tx
			.delete(session)
			.where(inArray(session.tokenHash, [...hashes]))
			.returning({ id, userId, expiresAt, deviceId })
	);
	return ended ?? null;
}
