import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { firstOf, type MemoryTables } from '../tables.ts';
import type { EmailUndoRow } from './undo-row.ts';

type Rights = Pick<MemoryTables, 'emailUndos'>;

/** The right of an address that has not expired. */
export const rightOf = ({ emailUndos }: Rights, email: Email, now: Date): EmailUndoRow | null =>
	firstOf(emailUndos, (row) => row.email === email && row.expiresAt > now) ?? null;

/** Removes a right of the account and all later ones. */
export const endRights = ({ emailUndos }: Rights, right: EmailUndoRow): void => {
	for (const row of [...emailUndos.values()]) {
		if (row.userId === right.userId && row.depth >= right.depth) emailUndos.delete(row.id);
	}
};

/** Adds a right after all others of the account. */
export const addRight = (
	{ emailUndos }: Rights,
	userId: UserId,
	{ from, to }: { readonly from: Email; readonly to: Email },
	{ id, expiresAt }: Pick<EmailUndoRow, 'id' | 'expiresAt'>,
	now: Date
): void => {
	// The account has the address that it leaves, so any other right of that address has expired,
	// whatever a clock that was set back says.
	for (const row of [...emailUndos.values()]) {
		const isOver = row.email === from || (row.email === to && row.expiresAt <= now);
		if (isOver) emailUndos.delete(row.id);
	}
	const depths = [...emailUndos.values()].filter((row) => row.userId === userId);
	const depth = Math.max(0, ...depths.map((row) => row.depth)) + 1;
	emailUndos.set(id, { id, userId, email: from, depth, expiresAt });
};
