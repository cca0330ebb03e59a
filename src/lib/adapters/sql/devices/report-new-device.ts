import type { UserId } from '#lib/domain/ids.ts';
import { noticesOf } from '#lib/domain/limits/budget.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { addEmails } from '../delivery/add-emails.ts';
import { rowsOf, type Tables, type Transaction, type Work } from '../sql.ts';
import type { PlacedDevice } from './place-device.ts';

/**
 * Stores the emails about a new device of an account. Of the clients without a device, which are new
 * each time, only the first one of a day is reported. Returns whether the emails were stored.
 */
export function* reportNewDevice(
	tx: Transaction,
	tables: Tables,
	userId: UserId,
	placed: PlacedDevice | null,
	emails: readonly OutboxRow[],
	now: Date
): Work<boolean> {
	if (emails.length === 0) return false;
	if (placed === null && !(yield* isFirstToday(tx, tables, userId, now))) return false;
	yield* addEmails(tx, tables, emails);
	return true;
}

function* isFirstToday(
	tx: Transaction,
	{ siteCount: t }: Tables,
	userId: UserId,
	now: Date
): Work<boolean> {
	const row = { ...noticesOf(userId, now), count: 1 };
	const added = tx.insert(t).values(row).onConflictDoNothing().returning({ key: t.key });
	return (yield* rowsOf(added)).length > 0;
}
