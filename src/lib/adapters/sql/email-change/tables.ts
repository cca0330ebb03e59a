import type { Email } from '#lib/domain/email.ts';
import type { UndoId } from '#lib/domain/ids.ts';
import type { Columns } from '../columns.ts';
import type { UserIdColumn } from '../account/tables.ts';

/** Email addresses that an account left lately, and that can have it back. */
export const undoTables = (
	{ table, id, text, integer, instant, index, uniqueIndex }: Columns,
	userId: UserIdColumn
) => ({
	emailUndo: table(
		'email_undo',
		{
			id: id('id').$type<UndoId>().primaryKey(),
			userId: userId().notNull(),
			email: text('email').$type<Email>().notNull(),
			/** The place among the rights of the account. Times give no order: clocks can be set back. */
			depth: integer('depth').notNull(),
			expiresAt: instant('expires_at').notNull()
		},
		(t) => [
			uniqueIndex('email_undo_email_unique').on(t.email),
			index('email_undo_user_index').on(t.userId, t.depth),
			index('email_undo_expires_at_index').on(t.expiresAt)
		]
	)
});
